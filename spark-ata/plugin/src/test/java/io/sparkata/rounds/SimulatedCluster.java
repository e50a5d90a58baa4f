package io.sparkata.rounds;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.NoRoomException;
import io.sparkata.blocks.PackedRows;
import io.sparkata.cluster.Cluster;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.rounds.SimulatedExecutors.Machine;
import io.sparkata.rounds.SimulatedFaults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SparkException;

/**
 * A cluster of {@link SimulatedExecutors} and the packed rows of one training, on virtual time and
 * one thread, with {@link SimulatedFaults} between any two steps. Rows are whole numbers, so that
 * sums are exact.
 */
public final class SimulatedCluster implements Cluster, PackedRows {
  private static final long MILLI = 1_000_000;
  private static final int BLOCKS_PER_PARTITION = 100;

  /** A training must have ended by then. */
  private static final long MOST_NANOS = 600_000 * MILLI;

  /** By then a crew has found tasks of another job: it looks every 50 ms, at waits of 20 ms. */
  private static final long FOUND_NANOS = 200 * MILLI;

  public final SimulatedExecutors executors;
  public final SimulatedFaults faults;
  public final Random random;
  private final boolean keepsIds;
  private final long[][] values;
  private final List<List<BlockRef>> partitions = new ArrayList<>();
  private final Map<BlockRef, long[]> packed = new HashMap<>();
  private Supplier<List<String>> crews = List::of;
  private Supplier<List<String>> slotHolders = List::of;
  private Blocks blocks;
  private List<List<String>> named = List.of();
  private long nanos;
  private long packings;
  private long paused;
  private long takenSince;
  private long takenUntil;
  private String taken = "";
  private int repacks;
  private boolean isClosed;

  /**
   * @param executors at the start
   * @param keepsIds whether a block that is packed again has the id that it had, as elements of
   *     L-BFGS do
   * @param isCareless whether an executor reads whatever copy has a block's id
   */
  public SimulatedCluster(
      Random random, SimulatedFaults faults, int executors, boolean keepsIds, boolean isCareless) {
    this.random = random;
    this.faults = faults;
    this.keepsIds = keepsIds;
    this.executors = new SimulatedExecutors(random, faults, isCareless, this::nanoTime);
    for (int i = 0; i < executors; i++) {
      join();
    }
    int rows = 20 + random.nextInt(300);
    int parts = 1 + random.nextInt(2 * executors);
    this.values =
        IntStream.range(0, parts)
            .mapToObj(p -> LongStream.range(0, rows).map(i -> random.nextInt(1 << 20)).toArray())
            .toArray(long[][]::new);
    for (int p = 0; p < parts; p++) {
      partitions.add(pack(p));
    }
    collect();
  }

  /** The sum that every round must have. */
  public long sum() {
    return Arrays.stream(values).mapToLong(rows -> Arrays.stream(rows).sum()).sum();
  }

  /** Virtual nanoseconds. */
  public long nanoTime() {
    return nanos;
  }

  /**
   * Lets time pass.
   *
   * @throws AssertionError if too much has passed
   */
  public void pass(long more) {
    nanos += more;
    if (nanos > MOST_NANOS) {
      throw new AssertionError("the training does not end");
    }
    executors.wake();
  }

  /**
   * Checks, after a round, that the tasks of another job have got the slots that they waited for.
   * While the round ran they may have waited: for its rows, which one slow executor may sum.
   */
  void checkSlots() {
    boolean isJobWaiting = "".equals(taken()) && nanos - takenSince > FOUND_NANOS;
    if (isJobWaiting && !slotHolders.get().isEmpty()) {
      throw new AssertionError("another job's tasks wait for slots of " + slotHolders.get());
    }
  }

  /** How many faults last: executors hang, and others want slots. */
  int lasting() {
    long hanging = executors.up().stream().filter(executors::hangs).count();
    return (int) hanging + (taken() == null ? 0 : 1);
  }

  /** Virtual nanoseconds without the driver's pauses. */
  long unpaused() {
    return nanos - paused;
  }

  /**
   * Receives who knows the crews.
   *
   * @param all that have a job or a mailbox
   * @param holders those that hold slots
   */
  public void crews(Supplier<List<String>> all, Supplier<List<String>> holders) {
    crews = all;
    slotHolders = holders;
  }

  /** What crews there are. */
  public List<String> crews() {
    return crews.get();
  }

  /** What jobs or crews of others wait for slots now. */
  public String taken() {
    return nanos < takenUntil ? taken : null;
  }

  /** Something happens, perhaps a fault. */
  public void step() {
    pass(random.nextInt(20) * MILLI);
    Fault fault = faults.next();
    if (fault != null) {
      strike(fault);
    }
    executors.fetchWanted();
  }

  private void strike(Fault fault) {
    List<Machine> up = executors.up();
    Machine one = up.get(random.nextInt(up.size()));
    switch (fault) {
      case DIE, DIE_UNNOTICED -> {
        if (up.size() > 1) {
          executors.die(one);
          if (fault == Fault.DIE) {
            executors.notice(one);
          }
          faults.struck(fault, one.id);
        }
      }
      case HANG -> {
        if (up.stream().filter(other -> !executors.hangs(other)).count() > 1) {
          executors.hang(one, nanos + (1 + random.nextInt(60_000)) * MILLI);
          faults.struck(fault, one.id);
        }
      }
      case JOIN -> faults.struck(fault, executors.join().id);
      case EVICT, EVICT_UNTOLD, EVICT_MANY -> executors.evict(fault, one);
      case STALE_HOLDER -> {
        BlockRef block = blocks.get(random.nextInt(blocks.size()));
        executors.believe(block.toString(), one);
        faults.struck(fault, one.id + " " + block);
      }
      case OLD_COPY -> executors.bringOldCopy(one);
      case OTHER_JOB, OTHER_CREW -> {
        taken = fault == Fault.OTHER_JOB ? "" : "another-crew";
        takenSince = nanos;
        takenUntil = nanos + random.nextInt(20_000) * MILLI;
        faults.struck(fault, "");
      }
      case DRIVER_PAUSES -> {
        faults.struck(fault, "");
        long pause = (1L + random.nextInt(20)) * 1000 * MILLI;
        takenSince += pause; // nothing can be given back meanwhile
        paused += pause;
        pass(pause);
      }
      case CANCEL -> {
        faults.struck(fault, "");
        throw cancelled();
      }
      case INTERRUPT -> {
        faults.struck(fault, "");
        Thread.currentThread().interrupt();
      }
      default -> {} // where it can strike
    }
  }

  /** As Spark says it. */
  public static RuntimeException cancelled() {
    return sneaky(new SparkException("Job 1 cancelled because the user wanted it"));
  }

  @SuppressWarnings("unchecked") // Spark throws it unchecked, too
  private static <E extends Throwable> RuntimeException sneaky(Throwable error) throws E {
    throw (E) error;
  }

  /** An executor joins. */
  void join() {
    executors.join();
  }

  /** An executor dies, and Spark's master knows at once. */
  void kill(String id) {
    Machine machine = executors.machine(id);
    executors.die(machine);
    executors.notice(machine);
  }

  /** An executor's copy of a block is evicted, and Spark's master knows. */
  void evict(BlockRef block, String id) {
    executors.drop(executors.machine(id), block.toString());
  }

  /** An executor that hangs counts as gone until its next heartbeat. */
  public void silent(String id) {
    executors.notice(executors.machine(id));
  }

  @Override
  public List<Executor> live() {
    return executors
        .known()
        .map(one -> new Executor(one.id, "host-" + one.id, one.slots, 1L << 40, Device.CPU))
        .toList();
  }

  @Override
  public List<Executor> staying() {
    return live();
  }

  @Override
  public List<Executor> workers(Duration longestTask) {
    step();
    List<Executor> live = live();
    if (live.size() > 1 && faults.strikes(Fault.SLOT_TAKEN, 0.1)) {
      live = live.subList(1, live.size());
    }
    if (live.isEmpty()) {
      join(); // Spark's cluster manager replaces it
      return live();
    }
    return live;
  }

  @Override
  public Blocks blocks() {
    return blocks;
  }

  @Override
  public List<List<String>> holders() {
    step();
    named = blocks.stream().map(executors::holders).toList();
    return named;
  }

  /** The blocks of an executor by the last answer of {@link #holders}. */
  public List<BlockRef> heldBy(String executorId) {
    return IntStream.range(0, blocks.size())
        .filter(block -> named.get(block).contains(executorId))
        .mapToObj(blocks::get)
        .toList();
  }

  @Override
  public Map<String, Double> packingNanosPerRow() {
    return Map.of();
  }

  @Override
  public int repack(Collection<Integer> lost) {
    if (!crews().isEmpty()) {
      throw new AssertionError("packing waits for slots of " + crews());
    }
    step();
    repacks++;
    Set<Integer> wanted = new TreeSet<>();
    lost.forEach(block -> wanted.add(blocks.get(block).partition()));
    faults.tell("packs again " + wanted);
    if (faults.strikes(Fault.NO_ROOM_TO_PACK, 0.2)) {
      throw new NoRoomException(0, 1);
    }
    for (int partition : wanted) {
      partitions.get(partition).forEach(executors::remove);
      partitions.get(partition).forEach(packed::remove);
      partitions.set(partition, pack(partition));
    }
    collect();
    return wanted.size();
  }

  /** Packs a partition, whose rows may have another order each time. */
  private List<BlockRef> pack(int partition) {
    long[] rows = values[partition].clone();
    for (int i = rows.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      long swapped = rows[i];
      rows[i] = rows[other];
      rows[other] = swapped;
    }
    long packing = ++packings;
    int rddId = keepsIds ? 1 : (int) packing;
    int size = 1 + rows.length / (1 + random.nextInt(6));
    Machine machine = executors.anyThatAnswers();
    List<BlockRef> made = new ArrayList<>();
    for (int from = 0; from < rows.length; from += size) {
      int to = Math.min(rows.length, from + size);
      BlockRef block =
          new BlockRef(
              rddId,
              BLOCKS_PER_PARTITION * partition + made.size(),
              partition,
              from,
              to - from,
              8L * (to - from),
              packing);
      packed.put(block, Arrays.copyOfRange(rows, from, to));
      executors.put(machine, block, packed.get(block));
      made.add(block);
    }
    return made;
  }

  private void collect() {
    blocks = Blocks.of(partitions.stream().flatMap(List::stream).toList());
  }

  /**
   * The rows of a block.
   *
   * @throws AssertionError if it is of an earlier packing
   */
  public long[] rows(BlockRef block) {
    if (!packed.containsKey(block)) {
      throw new AssertionError("block " + block + " was packed again");
    }
    return packed.get(block);
  }

  /** How often lost blocks were packed again. */
  public int repacks() {
    return repacks;
  }

  @Override
  public void close() {
    isClosed = true;
  }

  /** Whether the rows were given back. */
  public boolean isClosed() {
    return isClosed;
  }
}
