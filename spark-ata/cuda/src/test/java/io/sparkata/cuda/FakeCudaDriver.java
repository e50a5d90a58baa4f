package io.sparkata.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/**
 * A device in the JVM's memory. It records allocations, runs the kernels in Java, and fails on
 * request. Work in a stream is done only when a caller waits for the stream, as late as a real
 * device might do it. A wrong call, such as one with a pointer that was never allocated or a copy
 * beyond an end, throws an {@link AssertionError}.
 */
final class FakeCudaDriver implements CudaDriver {
  static final int ILLEGAL_ADDRESS = 700;
  static final int OUT_OF_MEMORY = 2;

  private static final long PAGE = 2 << 20;

  private final TreeMap<Long, ByteBuffer> memory = new TreeMap<>();
  private final Set<ByteBuffer> pinned = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Long, List<Runnable>> streams = new HashMap<>();
  private final ThreadLocal<Boolean> hasContext = ThreadLocal.withInitial(() -> false);
  private final Map<Long, String> functions = new HashMap<>();
  private final Map<String, Throwable> failures = new HashMap<>();
  private final Map<String, Integer> calls = new HashMap<>();

  /** How many calls of a function succeed before the failing ones. */
  private final Map<String, Integer> spared = new HashMap<>();

  private final List<String> busIds;
  private long totalBytes = 1L << 30;
  private int capability = 90;
  private int version = 11_000;
  private String model = "Fake";
  private int contexts;
  private long next = 1 << 20;
  private volatile CountDownLatch hung = new CountDownLatch(0);

  FakeCudaDriver(String... busIds) {
    this.busIds = List.of(busIds);
  }

  FakeCudaDriver withMemory(long bytes) {
    totalBytes = bytes;
    return this;
  }

  FakeCudaDriver withCapability(int newCapability) {
    capability = newCapability;
    return this;
  }

  /** The first part of each device's name. */
  FakeCudaDriver withModel(String newModel) {
    model = newModel;
    return this;
  }

  FakeCudaDriver withVersion(int newVersion) {
    version = newVersion;
    return this;
  }

  /** Every further call of that function fails, until {@link #heal}. */
  void fail(String call, int code) {
    failures.put(call, new CudaException(call, code, "CUDA_ERROR_ON_PURPOSE"));
  }

  /** Every further call of that function fails, except the next {@code good} ones. */
  void failAfter(int good, String call, int code) {
    spared.put(call, calls(call) + good);
    fail(call, code);
  }

  /** Every further call of that function throws. */
  void throwAt(String call, Throwable error) {
    failures.put(call, error);
  }

  void heal() {
    failures.clear();
    spared.clear();
  }

  /** From now on, waiting for a stream waits for the latch. */
  CountDownLatch hang() {
    hung = new CountDownLatch(1);
    return hung;
  }

  /** How often a function was called. */
  synchronized int calls(String call) {
    return calls.getOrDefault(call, 0);
  }

  /** What was allocated and not freed: device memory, host memory, streams, contexts. */
  synchronized String leaks() {
    return memory.size() + " " + pinned.size() + " " + streams.size() + " " + contexts;
  }

  private synchronized void enter(String call) {
    calls.merge(call, 1, Integer::sum);
    Throwable failure = calls(call) > spared.getOrDefault(call, 0) ? failures.get(call) : null;
    if (failure instanceof Error broken) {
      throw broken;
    }
    if (failure != null) {
      throw (RuntimeException) failure;
    }
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public int deviceCount() {
    enter("cuDeviceGetCount");
    return busIds.size();
  }

  @Override
  public String pciBusId(int device) {
    return busIds.get(device);
  }

  @Override
  public String name(int device) {
    return model + " " + busIds.get(device);
  }

  @Override
  public int computeCapability(int device) {
    return capability;
  }

  @Override
  public int multiprocessors(int device) {
    return 2;
  }

  @Override
  public synchronized long retainContext(int device) {
    enter("cuDevicePrimaryCtxRetain");
    contexts++;
    return 77;
  }

  @Override
  public synchronized void releaseContext(int device) {
    contexts--;
  }

  @Override
  public void setCurrent(long context) {
    enter("cuCtxSetCurrent");
    check(context == 77, "no such context");
    hasContext.set(true);
  }

  @Override
  public long loadModule(byte[] ptx) {
    enter("cuModuleLoadData");
    return 88;
  }

  @Override
  public synchronized long function(long module, String name) {
    check(FakeKernels.names().contains(name), "no kernel " + name);
    functions.put(++next, name);
    return next;
  }

  @Override
  public synchronized long freeBytes() {
    return totalBytes - memory.values().stream().mapToLong(FakeCudaDriver::taken).sum();
  }

  /** In whole pages above 1 MiB. */
  private static long taken(ByteBuffer allocated) {
    int bytes = allocated.capacity();
    return bytes <= 1 << 20 ? bytes : (bytes + PAGE - 1) / PAGE * PAGE;
  }

  @Override
  public synchronized long allocate(long bytes) {
    checkContext();
    enter("cuMemAlloc");
    check(bytes > 0, "nothing to allocate");
    if (bytes > freeBytes()) {
      throw new CudaException("cuMemAlloc", OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY");
    }
    next = (next / 256 + 2) * 256;
    memory.put(next, ByteBuffer.allocate((int) bytes).order(ByteOrder.nativeOrder()));
    long pointer = next;
    next += bytes;
    return pointer;
  }

  @Override
  public synchronized void free(long pointer) {
    checkContext();
    enter("cuMemFree");
    check(memory.remove(pointer) != null, "not allocated: " + pointer);
  }

  @Override
  public synchronized ByteBuffer allocateHost(int bytes) {
    checkContext();
    enter("cuMemAllocHost");
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    pinned.add(buffer);
    return buffer;
  }

  @Override
  public synchronized void freeHost(ByteBuffer buffer) {
    checkContext();
    check(pinned.remove(buffer), "not allocated on the host");
  }

  @Override
  public synchronized long createStream() {
    checkContext();
    enter("cuStreamCreate");
    streams.put(++next, new ArrayList<>());
    return next;
  }

  @Override
  public synchronized void destroyStream(long stream) {
    checkContext();
    List<Runnable> begun = streams.remove(stream);
    check(begun != null, "no such stream");
    boolean canWait = !failures.containsKey("cuStreamSynchronize");
    check(begun.isEmpty() || !canWait, "nobody has waited for what has begun");
  }

  @Override
  public synchronized void copyIn(long to, ByteBuffer from, long stream) {
    enter("cuMemcpyHtoDAsync");
    check(pinned.contains(from), "pageable memory");
    ByteBuffer view = from.duplicate();
    begin(stream, () -> at(to, view.remaining()).put(view));
  }

  @Override
  public synchronized void copyOut(ByteBuffer to, long from, long stream) {
    enter("cuMemcpyDtoHAsync");
    check(pinned.contains(to), "pageable memory");
    ByteBuffer view = to.duplicate();
    begin(stream, () -> view.put(at(from, view.remaining())));
  }

  @Override
  public synchronized void clear(long pointer, long bytes, long stream) {
    begin(stream, () -> at(pointer, (int) bytes).put(new byte[(int) bytes]));
  }

  @Override
  public synchronized void launch(
      long function, int blocks, int threads, int sharedBytes, long stream, Object... arguments) {
    enter("cuLaunchKernel");
    check(blocks > 0 && threads % 32 == 0 && threads <= 1024, "no such shape");
    String name = functions.get(function);
    begin(
        stream,
        () -> FakeKernels.run(name, blocks, threads, sharedBytes, arguments, this::aligned));
  }

  @Override
  public void synchronize(long stream) {
    checkContext();
    enter("cuStreamSynchronize");
    try {
      if (hung.getCount() > 0) { // otherwise an interrupted thread may wait for the device too
        hung.await();
      }
    } catch (InterruptedException ending) {
      throw new AssertionError(ending);
    }
    finish(stream);
  }

  private synchronized void finish(long stream) {
    check(streams.containsKey(stream), "no such stream");
    streams.get(stream).forEach(Runnable::run);
    streams.get(stream).clear();
  }

  private void begin(long stream, Runnable work) {
    checkContext();
    check(streams.containsKey(stream), "no such stream");
    streams.get(stream).add(work);
  }

  private void checkContext() {
    check(hasContext.get(), "no current context on this thread");
  }

  /** A number, at the address where a device would read it. */
  private ByteBuffer aligned(long pointer, int bytes) {
    if (pointer % bytes != 0) { // without a text for each of millions of calls
      throw new AssertionError("not aligned: " + pointer);
    }
    return at(pointer, bytes);
  }

  /** The next {@code bytes} of device memory from a pointer on. */
  private ByteBuffer at(long pointer, int bytes) {
    Map.Entry<Long, ByteBuffer> allocated = memory.floorEntry(pointer);
    if (allocated == null) {
      throw new AssertionError("not allocated: " + pointer);
    }
    int offset = (int) (pointer - allocated.getKey());
    int capacity = allocated.getValue().capacity();
    if (offset + bytes > capacity) {
      throw new AssertionError(bytes + " bytes from " + offset + " of " + capacity);
    }
    return allocated.getValue().slice(offset, bytes).order(ByteOrder.nativeOrder());
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
