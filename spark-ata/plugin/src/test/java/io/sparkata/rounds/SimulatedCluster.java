package io.sparkata.rounds;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.NoRoomException;
import io.sparkata.blocks.PackedRows;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Cluster;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.rounds.SimulatedFaults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
 * Executors, the blocks that they hold, and what Spark's master believes of both, on virtual time
 * and one thread, with {@link SimulatedFaults} between any two steps. Rows are whole numbers, so
 * that sums are exact. An executor may be careless: it reads whatever copy has a block's id, and
 * says so.
 */
public final class SimulatedCluster implements Cluster, PackedRows {
  private static final long MILLI = 1_000_000;
  private static final int BLOCKS_PER_PARTITION = 100;

  /** A training must have ended by then. */
  private static final long MOST_NANOS = 600_000 * MILLI;

  /** So long the tasks of another job may wait for slots that a crew holds, for each fault. */
  private static final long LONGEST_CLAIM = 6_000 * MILLI;

  public final SimulatedFaults faults;
  public final Random random;
  private final boolean isCareless;
  private final boolean keepsIds;
  private final long[][] values;
  private final List<List<BlockRef>> partitions = new ArrayList<>();
  private final Map<String, Machine> machines = new LinkedHashMap<>();
  private final Map<String, Set<String>> believed = new HashMap<>();
  private final Map<String, Copy> old = new LinkedHashMap<>();
  private Supplier<List<String>> crews = List::of;
  private Blocks blocks;
  private long nanos;
  private long packings;
  private long paused;
  private long takenSince;
  private long takenUntil;
  private String taken = "";
  private int repacks;
  private boolean isClosed;

  /** An executor's JVM. */
  public static final class Machine {
    public final String id;
    final int slots;
    final double nanosPerRow;
    private final Map<String, Copy> copies = new LinkedHashMap<>();
    private final List<BlockRef> wanted = new ArrayList<>();
    private boolean isUp = true;
    private boolean isKnown = true;
    private long hangsUntil;

    Machine(String id, int slots, double nanosPerRow) {
      this.id = id;
      this.slots = slots;
      this.nanosPerRow = nanosPerRow;
    }

    /** Whether its JVM exists. */
    public boolean isUp() {
      return isUp;
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Copy(long packingId, long[] rows) {}

  /**
   * @param executors at the start
   * @param keepsIds whether a block that is packed again has the id that it had, as elements of
   *     L-BFGS do
   */
  public SimulatedCluster(
      Random random, SimulatedFaults faults, int executors, boolean keepsIds, boolean isCareless) {
    this.random = random;
    this.faults = faults;
    this.keepsIds = keepsIds;
    this.isCareless = isCareless;
    for (int i = 0; i < executors; i++) {
      join();
    }
    int rows = 20 + random.nextInt(300);
    int count = 1 + random.nextInt(2 * executors);
    this.values =
        IntStream.range(0, count)
            .mapToObj(p -> LongStream.range(0, rows).map(i -> random.nextInt(1 << 20)).toArray())
            .toArray(long[][]::new);
    for (int p = 0; p < count; p++) {
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
    boolean isHeld = nanos < takenUntil && taken.isEmpty() && !crews().isEmpty();
    if (isHeld && nanos - takenSince > LONGEST_CLAIM * (1 + faults.count())) {
      throw new AssertionError("the tasks of another job wait for slots of " + crews());
    }
    for (Machine machine : machines.values()) {
      if (machine.isUp && !machine.isKnown && nanos >= machine.hangsUntil) {
        machine.isKnown = true; // its heartbeat registers its blocks again
        machine.copies.keySet().forEach(id -> believe(id, machine));
        faults.tell(machine.id + " is back");
      }
    }
  }

  /** Virtual nanoseconds without the driver's pauses. */
  long unpaused() {
    return nanos - paused;
  }

  /** Receives who says what crews there are, by their jobs and mailboxes. */
  public void crews(Supplier<List<String>> named) {
    crews = named;
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
    machines.values().forEach(this::fetchWanted);
  }

  private void strike(Fault fault) {
    List<Machine> up = machines.values().stream().filter(one -> one.isUp).toList();
    Machine one = up.get(random.nextInt(up.size()));
    switch (fault) {
      case DIE, DIE_UNNOTICED -> {
        if (up.size() > 1) {
          die(one);
          if (fault == Fault.DIE) {
            notice(one);
          }
          faults.struck(fault, one.id);
        }
      }
      case HANG -> {
        if (up.stream().filter(other -> !hangs(other)).count() > 1) {
          one.hangsUntil = nanos + (1 + random.nextInt(60_000)) * MILLI;
          faults.struck(fault, one.id);
        }
      }
      case JOIN -> faults.struck(fault, join().id);
      case EVICT, EVICT_UNTOLD -> evict(fault, one, 1);
      case EVICT_MANY -> evict(fault, one, 1 + one.copies.size() / 2);
      case STALE_HOLDER -> {
        BlockRef block = blocks.get(random.nextInt(blocks.size()));
        believe(block.toString(), one);
        faults.struck(fault, one.id + " " + block);
      }
      case OLD_COPY -> {
        List<String> ids = List.copyOf(old.keySet());
        if (!ids.isEmpty()) {
          String id = ids.get(random.nextInt(ids.size()));
          one.copies.put(id, old.get(id));
          believe(id, one);
          faults.struck(fault, one.id + " " + id);
        }
      }
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
  Machine join() {
    double nanosPerRow = 1e5 * Math.pow(30, random.nextDouble());
    Machine machine = new Machine("e" + machines.size(), 1 + random.nextInt(2), nanosPerRow);
    machines.put(machine.id, machine);
    return machine;
  }

  /** An executor dies, and Spark's master knows at once. */
  void kill(String id) {
    Machine machine = machines.get(id);
    die(machine);
    notice(machine);
  }

  /** An executor's copy of a block is evicted, and Spark's master knows. */
  void evict(BlockRef block, String id) {
    drop(machines.get(id), block.toString());
  }

  private void die(Machine machine) {
    machine.isUp = false;
    machine.copies.clear();
    machine.wanted.clear();
  }

  /** Spark notices that an executor is gone. */
  public void notice(Machine machine) {
    machine.isKnown = false;
    believed.values().forEach(holders -> holders.remove(machine.id));
  }

  /** An executor that hangs counts as gone until its next heartbeat. */
  public void silent(String id) {
    notice(machines.get(id));
  }

  /** Whether it does not answer now. */
  public boolean hangs(Machine machine) {
    return nanos < machine.hangsUntil;
  }

  /** When it answers again. */
  public long hangsUntil(Machine machine) {
    return machine.hangsUntil;
  }

  private void evict(Fault fault, Machine machine, int count) {
    List<String> ids = new ArrayList<>(machine.copies.keySet());
    Collections.shuffle(ids, random);
    List<String> gone = ids.subList(0, Math.min(count, ids.size()));
    for (String id : gone) {
      drop(machine, id);
      if (fault == Fault.EVICT_UNTOLD) {
        believe(id, machine);
      }
    }
    if (!gone.isEmpty()) {
      faults.struck(fault, machine.id + " " + gone);
    }
  }

  private void drop(Machine machine, String id) {
    machine.copies.remove(id);
    believed.getOrDefault(id, new HashSet<>()).remove(machine.id);
  }

  private void believe(String id, Machine machine) {
    if (machine.isKnown) {
      believed.computeIfAbsent(id, unused -> new LinkedHashSet<>()).add(machine.id);
    }
  }

  /** The machine of an executor. */
  public Machine machine(String id) {
    return machines.get(id);
  }

  @Override
  public List<Executor> live() {
    return machines.values().stream()
        .filter(one -> one.isKnown)
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
    return blocks.stream()
        .map(block -> List.copyOf(believed.getOrDefault(block.toString(), Set.of())))
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
      for (BlockRef block : partitions.get(partition)) {
        String id = block.toString();
        for (Machine machine : machines.values()) {
          if (machine.copies.containsKey(id)) {
            old.put(id, machine.copies.get(id));
          }
          if (machine.isKnown && !hangs(machine)) {
            machine.copies.remove(id);
          }
        }
        believed.remove(id);
      }
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
    List<Machine> up =
        machines.values().stream().filter(one -> one.isUp && one.isKnown && !hangs(one)).toList();
    Machine machine = up.isEmpty() ? join() : up.get(random.nextInt(up.size()));
    List<BlockRef> packed = new ArrayList<>();
    for (int from = 0; from < rows.length; from += size) {
      int to = Math.min(rows.length, from + size);
      BlockRef block =
          new BlockRef(
              rddId,
              BLOCKS_PER_PARTITION * partition + packed.size(),
              partition,
              from,
              to - from,
              8L * (to - from),
              packing);
      machine.copies.put(block.toString(), new Copy(packing, Arrays.copyOfRange(rows, from, to)));
      believe(block.toString(), machine);
      packed.add(block);
    }
    return packed;
  }

  private void collect() {
    blocks = Blocks.of(partitions.stream().flatMap(List::stream).toList());
  }

  /** How often lost blocks were packed again. */
  public int repacks() {
    return repacks;
  }

  /** A machine for a task that is planned for an executor; null if that one hangs. */
  public Machine place(String executorId) {
    Machine aimed = machines.get(executorId);
    if (aimed.isKnown && hangs(aimed)) {
      return null;
    }
    if (!aimed.isUp && aimed.isKnown) {
      notice(aimed);
    }
    if (aimed.isUp && aimed.isKnown && !faults.strikes(Fault.ELSEWHERE, 0.02)) {
      return aimed;
    }
    List<Machine> others =
        machines.values().stream().filter(one -> one.isUp && one.isKnown && !hangs(one)).toList();
    return others.isEmpty() ? join() : others.get(random.nextInt(others.size()));
  }

  /** A task's work on a machine, as {@link TaskWork} does it. Takes the time that it takes. */
  public RoundResult<Long> work(Machine machine, RoundTask task, WholeSum summand) {
    boolean isWhereAimed = machine.id.equals(task.executorId());
    if (isWhereAimed) {
      task.stale().forEach(block -> drop(machine, block.toString()));
      if (!task.wanted().isEmpty()) {
        machine.wanted.clear();
        machine.wanted.addAll(task.wanted());
      }
    }
    RoundResult<Long> result = new RoundResult<>();
    TaskReport report = new TaskReport(machine.id);
    long sum = 0;
    for (Span span : task.spans()) {
      Copy copy = read(machine, span.ref(), isWhereAimed, report);
      if (copy == null) {
        result.miss(span.block());
        continue;
      }
      int to = Math.min(span.to(), copy.rows.length); // a careless one reads what there is
      for (int row = span.from(); row < to; row++) {
        sum += summand.weight() * copy.rows[row];
      }
      result.cover(new CoveredRows(span.block(), copy.packingId, span.from(), span.to()));
      report.rows += span.rows();
      report.sampledRows += span.rows();
      report.kernelNanos += Math.round(span.rows() * machine.nanosPerRow);
    }
    result.sum(sum);
    result.report(report);
    return result;
  }

  private Copy read(Machine machine, BlockRef block, boolean keep, TaskReport report) {
    String id = block.toString();
    Copy local = machine.copies.get(id);
    if (local != null && matches(local, block)) {
      return local;
    }
    if (local != null) {
      drop(machine, id);
    }
    Copy fetched = fetch(block);
    if (fetched != null) {
      report.fetchedBlocks++;
      report.fetchNanos += MILLI;
      report.fetchedBytes += block.bytes();
      if (keep && !faults.strikes(Fault.NO_ROOM, 0.2)) {
        report.keptBlocks++;
        machine.copies.put(id, fetched);
        believe(id, machine);
      }
    }
    return fetched;
  }

  private boolean matches(Copy copy, BlockRef block) {
    return isCareless || (copy.packingId == block.packingId() && copy.rows.length == block.rows());
  }

  private Copy fetch(BlockRef block) {
    for (String holder : believed.getOrDefault(block.toString(), Set.of())) {
      Machine machine = machines.get(holder);
      Copy copy = machine.copies.get(block.toString());
      if (machine.isUp && !hangs(machine) && copy != null && matches(copy, block)) {
        return copy;
      }
    }
    return null;
  }

  private void fetchWanted(Machine machine) {
    if (machine.isUp && !hangs(machine) && !machine.wanted.isEmpty()) {
      BlockRef block = machine.wanted.remove(0);
      Copy copy = fetch(block);
      if (copy != null && !faults.strikes(Fault.NO_ROOM, 0.2)) {
        machine.copies.put(block.toString(), copy);
        believe(block.toString(), machine);
      }
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }

  /** Whether the rows were given back. */
  public boolean isClosed() {
    return isClosed;
  }

  /** The ids of machines that exist. */
  public Set<String> up() {
    Set<String> up = new TreeSet<>();
    machines.values().stream().filter(one -> one.isUp).forEach(one -> up.add(one.id));
    return up;
  }
}
