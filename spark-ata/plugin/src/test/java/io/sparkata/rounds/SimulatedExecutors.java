package io.sparkata.rounds;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.rounds.SimulatedFaults.Fault;
import java.util.ArrayList;
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
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The executors of a {@link SimulatedCluster}: the blocks that they hold, what Spark's master
 * believes of them, and the work of their tasks. An executor may be careless: it reads whatever
 * copy has a block's id, and says so.
 */
public final class SimulatedExecutors {
  private static final long MILLI = 1_000_000;

  private final Random random;
  private final SimulatedFaults faults;
  private final LongSupplier clock;
  private final Map<String, Machine> machines = new LinkedHashMap<>();
  private final Map<String, Set<String>> believed = new HashMap<>();
  private final Map<String, Copy> old = new LinkedHashMap<>();
  private boolean isCareless;

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
   * @param clock virtual nanoseconds
   */
  SimulatedExecutors(
      Random random, SimulatedFaults faults, boolean isCareless, LongSupplier clock) {
    this.random = random;
    this.faults = faults;
    this.isCareless = isCareless;
    this.clock = clock;
  }

  /** From now on they read a block only as it was packed. */
  public void beCareful() {
    isCareless = false;
  }

  /** An executor joins. */
  Machine join() {
    double nanosPerRow = 1e5 * Math.pow(30, random.nextDouble());
    Machine machine = new Machine("e" + machines.size(), 1 + random.nextInt(2), nanosPerRow);
    machines.put(machine.id, machine);
    return machine;
  }

  /** The machine of an executor. */
  public Machine machine(String id) {
    return machines.get(id);
  }

  /** The machines that exist. */
  List<Machine> up() {
    return machines.values().stream().filter(one -> one.isUp).toList();
  }

  /** The ids of machines that exist. */
  public Set<String> upIds() {
    Set<String> ids = new TreeSet<>();
    up().forEach(one -> ids.add(one.id));
    return ids;
  }

  /** The machines that Spark's master counts as live. */
  Stream<Machine> known() {
    return machines.values().stream().filter(one -> one.isKnown);
  }

  /** A machine, one that joins if need be, that exists, is known and answers. */
  Machine anyThatAnswers() {
    List<Machine> some = known().filter(one -> one.isUp && !hangs(one)).toList();
    return some.isEmpty() ? join() : some.get(random.nextInt(some.size()));
  }

  /** Executors that no longer hang are back, and fetch what they want. */
  void wake() {
    for (Machine machine : machines.values()) {
      if (machine.isUp && !machine.isKnown && !hangs(machine)) {
        machine.isKnown = true; // its heartbeat registers its blocks again
        machine.copies.keySet().forEach(id -> believe(id, machine));
        faults.tell(machine.id + " is back");
      }
    }
  }

  void fetchWanted() {
    machines.values().forEach(this::fetchWanted);
  }

  void die(Machine machine) {
    machine.isUp = false;
    machine.copies.clear();
    machine.wanted.clear();
  }

  /** Spark notices that an executor is gone. */
  public void notice(Machine machine) {
    machine.isKnown = false;
    believed.values().forEach(holders -> holders.remove(machine.id));
  }

  void hang(Machine machine, long until) {
    machine.hangsUntil = until;
  }

  /** Whether it does not answer now. */
  public boolean hangs(Machine machine) {
    return clock.getAsLong() < machine.hangsUntil;
  }

  /** Whether an executor counts as live and does not answer. */
  boolean isSilent(String executorId) {
    Machine machine = machines.get(executorId);
    return machine.isKnown && hangs(machine);
  }

  /** When it answers again. */
  public long hangsUntil(Machine machine) {
    return machine.hangsUntil;
  }

  /** Evicts one copy or many, if it has any; Spark's master may not know. */
  void evict(Fault fault, Machine machine) {
    int count = fault == Fault.EVICT_MANY ? 1 + machine.copies.size() / 2 : 1;
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

  /** An old copy of any block comes to a machine, if there is one. */
  void bringOldCopy(Machine machine) {
    List<String> ids = List.copyOf(old.keySet());
    if (!ids.isEmpty()) {
      String id = ids.get(random.nextInt(ids.size()));
      machine.copies.put(id, old.get(id));
      believe(id, machine);
      faults.struck(Fault.OLD_COPY, machine.id + " " + id);
    }
  }

  void drop(Machine machine, String id) {
    machine.copies.remove(id);
    believed.getOrDefault(id, new HashSet<>()).remove(machine.id);
  }

  void believe(String id, Machine machine) {
    if (machine.isKnown) {
      believed.computeIfAbsent(id, unused -> new LinkedHashSet<>()).add(machine.id);
    }
  }

  /** The executors that hold a block, as Spark's master believes. */
  List<String> holders(BlockRef block) {
    return List.copyOf(believed.getOrDefault(block.toString(), Set.of()));
  }

  /** A machine stores a block. */
  void put(Machine machine, BlockRef block, long[] rows) {
    machine.copies.put(block.toString(), new Copy(block.packingId(), rows));
    believe(block.toString(), machine);
  }

  /** Spark's master removes all copies of a block where it can. */
  void remove(BlockRef block) {
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

  /** A machine for a task that is planned for an executor; null if that one hangs. */
  public Machine place(String executorId) {
    Machine aimed = machines.get(executorId);
    if (isSilent(executorId)) {
      return null;
    }
    if (!aimed.isUp && aimed.isKnown) {
      notice(aimed);
    }
    if (aimed.isUp && aimed.isKnown && !faults.strikes(Fault.ELSEWHERE, 0.02)) {
      return aimed;
    }
    return anyThatAnswers();
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
      report.kernelNanos += nanosOf(machine, span.rows());
    }
    result.sum(sum);
    result.report(report);
    return result;
  }

  /** Nanoseconds that rows take a machine. */
  public long nanosOf(Machine machine, int rows) {
    return Math.round(rows * machine.nanosPerRow);
  }

  /** All machines, also those that are gone. */
  Collection<Machine> all() {
    return machines.values();
  }

  /** A block's rows as a machine reads them, there or from another; null if none has them. */
  public long[] read(Machine machine, BlockRef block) {
    Copy copy = read(machine, block, /* keep= */ false, new TaskReport(machine.id));
    return copy == null ? null : copy.rows;
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
}
