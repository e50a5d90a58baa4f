package io.sparkata.cache;

import io.sparkata.cache.PartitionPlan.Move;
import io.sparkata.cache.PartitionPlan.Plan;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.report.CoveredTime;
import io.sparkata.report.SavedSeconds;
import io.sparkata.spark.CachedBlocks.Block;
import io.sparkata.spark.Scala;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerUnpersistRDD;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;

/**
 * What moves of cached partitions would have saved an application, by its events alone. Events do
 * not say where partitions are cached, but tasks that read them where they ran do. One thread.
 */
public final class PastStages extends CachedStageListener {
  /** The rate of an executor's first copies; later ones are several times as fast. */
  private static final double COLD_BYTES_PER_SECOND = 10e6;

  private final Map<String, Executor> executors = new LinkedHashMap<>(); // live ones
  private final Map<List<Integer>, Map<Integer, Block>> cached = new HashMap<>(); // by RDDs
  private final Map<Integer, Moved> moved = new HashMap<>(); // by oldest RDD
  private final Map<String, Sum> sums = new LinkedHashMap<>(); // by name
  private final CoveredTime covered = new CoveredTime();
  private int cpusPerTask = 1;

  /**
   * Stages over cached RDDs of one name.
   *
   * @param name of the RDD, and the line that made it
   * @param saved low: with copies at 10 MB/s; high: with moves that take no time. Stages longer
   *     than their tasks are scaled up for high, shorter ones down for low. Both with the spread of
   *     stages
   */
  public record Past(String name, int stages, double seconds, SavedSeconds saved) {
    /** Less of the time is no saving that a user would feel. */
    private static final double LEAST_SHARE = 0.02;

    /** Whether it is certain that a user would feel it. */
    public boolean isCertain() {
      return saved.low() > LEAST_SHARE * seconds;
    }
  }

  /** An RDD's partitions, and with them those of others that are read with it. */
  private static final class Moved {
    private final Simulated slow = new Simulated(COLD_BYTES_PER_SECOND);
    private final Simulated atOnce = new Simulated(Double.POSITIVE_INFINITY);
  }

  /** The same name's. */
  private static final class Sum {
    private int stages;
    private double seconds;
    private final List<Double> least = new ArrayList<>(); // by stage
    private final List<Double> most = new ArrayList<>();

    SavedSeconds saved() {
      SavedSeconds slow = saved(least);
      SavedSeconds atOnce = saved(most);
      return new SavedSeconds(
          (slow.seconds() + atOnce.seconds()) / 2,
          Math.min(slow.low(), atOnce.low()),
          Math.max(slow.high(), atOnce.high()));
    }

    private static SavedSeconds saved(List<Double> byStage) {
      double[] all = byStage.stream().mapToDouble(one -> one).toArray();
      double sum = Arrays.stream(all).sum();
      return SavedSeconds.of(all).orElse(new SavedSeconds(sum, Math.min(0, sum), sum));
    }
  }

  /** Where partitions would be if they had moved. */
  private static final class Simulated {
    private final double bytesPerSecond;
    private final Map<Integer, String> places = new HashMap<>(); // of partitions that have moved
    private Map<Integer, String> next = Map.of();
    private double arrival;

    Simulated(double bytesPerSecond) {
      this.bytesPerSecond = bytesPerSecond;
    }

    /** Returns the seconds that a stage would have saved, and moves what should move after it. */
    double add(StageLoad load, double start, double end) {
      if (start >= arrival) {
        places.putAll(next);
        next = Map.of();
      }
      StageLoad moved = load.at(places);
      double saved = load.seconds(load.at()) - moved.seconds(moved.at());
      Plan plan = moved.plan();
      if (next.isEmpty() && moved.isWorthIt(plan)) {
        move(moved, plan, end);
      }
      return saved;
    }

    private void move(StageLoad load, Plan plan, double now) {
      next = new HashMap<>();
      Map<String, Long> bytes = new HashMap<>(); // by receiver: they copy side by side
      for (Move move : plan.moves()) {
        CachedPartition partition = load.partitions().get(move.partition());
        String to = load.ids().get(move.to());
        next.put(partition.number(), to);
        bytes.merge(to, partition.bytes(), Long::sum);
      }
      long most = bytes.values().stream().mapToLong(one -> one).max().orElse(0);
      arrival = now + most / bytesPerSecond;
    }
  }

  /** Adds a live executor. */
  public void added(String id, String host, int cores) {
    executors.put(id, new Executor(id, host, cores, /* freeBytes= */ 0, Device.UNKNOWN));
  }

  /** Sets the cores that a task takes; 1 before. */
  public void cpusPerTask(int cpus) {
    cpusPerTask = cpus;
  }

  private List<Executor> live() {
    return executors.values().stream()
        .map(
            one ->
                new Executor(
                    one.id(), one.host(), Math.max(1, one.slots() / cpusPerTask), 0, one.device()))
        .toList();
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    executors.remove(event.executorId());
    cached
        .values()
        .forEach(one -> one.values().removeIf(at -> at.executor().equals(event.executorId())));
  }

  @Override
  public void onUnpersistRDD(SparkListenerUnpersistRDD event) {
    cached.keySet().removeIf(rdds -> rdds.contains(event.rddId()));
    moved.remove(event.rddId());
    lessons.forget(event.rddId());
  }

  /** If partitions of all that it reads can move. */
  @Override
  boolean isFollowed(StageInfo info, CachedStage stage) {
    return Scala.<RDDInfo>stream(info.rddInfos())
        .filter(rdd -> stage.rdds().contains(rdd.id()))
        .map(RDDInfo::storageLevel)
        .allMatch(level -> level.useMemory() && !level.useOffHeap() && level.replication() == 1);
  }

  @Override
  boolean isLive(String executor) {
    return executors.containsKey(executor);
  }

  /** Spark counts bytes of a cached partition only: without, the task has computed its own. */
  @Override
  void hasRead(CachedStage stage, SparkListenerTaskEnd event) {
    String executor = event.taskInfo().executorId();
    int number = event.taskInfo().partitionId(); // logs before Spark 3.3 have none
    int partition = number < 0 ? event.taskInfo().index() : number;
    long bytes = event.taskMetrics().inputMetrics().bytesRead();
    Map<Integer, Block> blocks = cached.computeIfAbsent(stage.rdds(), unused -> new TreeMap<>());
    if (bytes > 0) {
      int flags = StorageLevel.MEMORY_ONLY().toInt();
      blocks.put(
          partition, new Block(stage.rdds().get(0), partition, executor, bytes, flags, true));
    } else {
      blocks.remove(partition);
    }
  }

  @Override
  void completed(CachedStage stage, StageInfo info) {
    if (!cached.containsKey(stage.rdds())) {
      return;
    }
    double start = (Long) info.submissionTime().get() / 1e3;
    double end = (Long) info.completionTime().get() / 1e3;
    covered.add(start, end);
    Sum sum = sums.computeIfAbsent(stage.name(), unused -> new Sum());
    sum.stages++;
    sum.seconds += end - start;
    List<CachedPartition> partitions =
        CachedPartition.of(List.copyOf(cached.get(stage.rdds()).values()), executors.keySet());
    List<Executor> live = live();
    Optional<Reads> reads = lessons.add(stage, live);
    if (!partitions.isEmpty() && reads.filter(Reads::canBePlanned).isPresent()) {
      Moved own = moved.computeIfAbsent(stage.rdds().get(0), unused -> new Moved());
      StageLoad load =
          StageLoad.of(stage, partitions, live, lessons.speeds(), reads.get().lately());
      double longer = (end - stage.launched() / 1e3) / Math.max(1e-3, load.seconds(load.at()));
      sum.least.add(own.slow.add(load, start, end) * Math.min(1, longer));
      sum.most.add(own.atOnce.add(load, start, end) * Math.max(1, longer));
    }
  }

  /** Seconds in which at least one such stage ran. */
  public double seconds() {
    return covered.length();
  }

  /** By RDDs of the same name, in the order in which they were read. */
  public List<Past> found() {
    List<Past> found = new ArrayList<>();
    sums.forEach((name, sum) -> found.add(new Past(name, sum.stages, sum.seconds, sum.saved())));
    return found;
  }
}
