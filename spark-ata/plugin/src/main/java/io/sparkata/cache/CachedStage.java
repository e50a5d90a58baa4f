package io.sparkata.cache;

import io.sparkata.cache.LostAttempts.Lost;
import io.sparkata.spark.Scala;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.storage.RDDInfo;

/** A running stage that reads cached partitions, and what its tasks took for them. */
final class CachedStage {
  private static final int MOST_NAME = 60;

  private final List<Integer> rdds;
  private final List<Integer> held;
  private final Set<Integer> cached;
  private final String name;
  private final int partitions;
  private final Map<String, List<Task>> tasks = new HashMap<>(); // by executor
  private final Map<Integer, Long> bytesByTask = new HashMap<>(); // by index
  private final LostAttempts lost = new LostAttempts();
  private long launched = Long.MAX_VALUE;
  private boolean isByBytes = true;
  private int count; // of tasks
  private double bytes; // of them

  private record Task(double seconds, double bytes) {}

  /**
   * What an executor has not done.
   *
   * @param seconds that it has spent on it
   */
  record NotDone(double seconds, double weight) {}

  /**
   * @param held ids of the RDDs that it reads, and of those that it computes in as many partitions
   * @param cached ids of the persisted RDDs that it is made from
   * @param name of the oldest RDD, and the caller's line
   */
  CachedStage(
      Collection<Integer> rdds,
      Collection<Integer> held,
      Collection<Integer> cached,
      String name,
      int partitions) {
    this.rdds = List.copyOf(rdds);
    this.held = List.copyOf(new TreeSet<>(held));
    this.cached = Set.copyOf(cached);
    this.name = name;
    this.partitions = partitions;
  }

  /**
   * The stage; empty if it reads no RDD that is persisted, or one with other partitions than its
   * own. Of an RDD that it computes it reads what that is made from; if that is not cached, or in
   * other partitions, the RDD itself counts as read.
   *
   * @param cached ids of RDDs that were cached when earlier stages ended
   */
  static Optional<CachedStage> of(StageInfo info, Set<Integer> cached) {
    Map<Integer, RDDInfo> all = new LinkedHashMap<>();
    Set<Integer> persisted = new HashSet<>();
    for (RDDInfo rdd : Scala.<RDDInfo>each(info.rddInfos())) {
      all.put(rdd.id(), rdd);
      if (rdd.storageLevel().useMemory()) {
        persisted.add(rdd.id());
      }
    }
    Set<Integer> before = new HashSet<>(persisted);
    before.retainAll(cached);
    Set<Integer> held = new HashSet<>();
    return nearest(info, all, before, held)
        .or(() -> nearest(info, all, persisted, held))
        .map(
            read ->
                new CachedStage(
                    read, held, persisted, nameOf(all.get(read.first())), info.numTasks()));
  }

  /**
   * Of the cached RDDs those that are nearest to the stage's own.
   *
   * @param held receives them, and the persisted ones on the way to them
   */
  private static Optional<SortedSet<Integer>> nearest(
      StageInfo info, Map<Integer, RDDInfo> all, Set<Integer> cached, Set<Integer> held) {
    held.clear();
    Deque<Integer> next = new ArrayDeque<>();
    all.keySet().stream().findFirst().ifPresent(next::add); // the stage's own is the first
    TreeSet<Integer> seen = new TreeSet<>(next);
    TreeSet<Integer> read = new TreeSet<>();
    while (!next.isEmpty()) {
      RDDInfo rdd = all.get(next.poll());
      if (rdd != null && rdd.storageLevel().useMemory() && rdd.numPartitions() == info.numTasks()) {
        held.add(rdd.id());
      }
      if (rdd != null && cached.contains(rdd.id())) { // what it is made from is not read
        if (rdd.numPartitions() != info.numTasks()) {
          return Optional.empty();
        }
        read.add(rdd.id());
      } else if (rdd != null) {
        for (Object parent : Scala.each(rdd.parentIds())) {
          if (seen.add((Integer) parent)) {
            next.add((Integer) parent);
          }
        }
      }
    }
    return read.isEmpty() ? Optional.empty() : Optional.of(read);
  }

  /** Of a cached DataFrame Spark's name is the whole plan. */
  private static String nameOf(RDDInfo rdd) {
    String name = rdd.name().strip().lines().findFirst().orElse("");
    String start = name.length() > MOST_NAME ? name.substring(0, MOST_NAME) + "..." : name;
    return rdd.callSite().isEmpty() ? start : start + " (" + rdd.callSite() + ")";
  }

  /** Of the oldest RDD. */
  String name() {
    return name;
  }

  /** Ids of the RDDs that it reads, in their order. */
  List<Integer> rdds() {
    return rdds;
  }

  /** Ids of the RDDs whose partitions it leaves together: those that it reads or computes. */
  List<Integer> held() {
    return held;
  }

  /** Ids of the persisted RDDs that it is made from. */
  Set<Integer> cached() {
    return cached;
  }

  /** Of each of them. */
  int partitions() {
    return partitions;
  }

  /** Adds an attempt at a task that begins. */
  void begins(TaskInfo attempt) {
    launched = Math.min(launched, attempt.launchTime());
    lost.begins(attempt);
  }

  /** When its first task began, after it had waited for slots: milliseconds of the epoch. */
  long launched() {
    return launched;
  }

  /** Receives that all tasks are done, as milliseconds of the epoch. */
  void ended(long millis) {
    lost.stageEnded(millis);
  }

  /**
   * By executor without a measured task the longest that it has spent on one that another has done
   * sooner.
   */
  Map<String, NotDone> notDone() {
    Map<String, NotDone> longest = new HashMap<>();
    for (Lost one : lost.all()) {
      long ofTask = bytesByTask.getOrDefault(one.task(), 0L);
      double weight = isByBytes && bytes > 0 ? ofTask * count / bytes : 1;
      if (!tasks.containsKey(one.executor()) && weight > 0) {
        longest.merge(
            one.executor(),
            new NotDone(one.seconds(), weight),
            (l, r) -> l.seconds >= r.seconds ? l : r);
      }
    }
    return longest;
  }

  /**
   * Adds an attempt at a task that has ended, if it has read its partition where it ran; returns
   * whether it has.
   */
  boolean add(SparkListenerTaskEnd event) {
    lost.ended(event);
    launched = Math.min(launched, event.taskInfo().launchTime());
    TaskMetrics metrics = event.taskMetrics();
    if (metrics == null || !event.taskInfo().successful()) {
      return false;
    }
    long bytes = metrics.inputMetrics().bytesRead();
    bytesByTask.put(event.taskInfo().index(), bytes);
    weigh(bytes);
    if (!LostAttempts.isLocal(event.taskInfo())) {
      return false;
    }
    long waited = metrics.shuffleReadMetrics().fetchWaitTime();
    // from its launch: a slow executor also takes long to deserialize a task
    double seconds = Math.max(1, event.taskInfo().duration() - waited) / 1e3;
    measure(event.taskInfo().executorId(), seconds, bytes);
    return true;
  }

  /** Adds a task that read its partition where it ran. */
  void add(String executor, double seconds, long bytes) {
    weigh(bytes);
    measure(executor, seconds, bytes);
  }

  private void weigh(long bytes) {
    this.bytes += bytes;
    count++;
  }

  private void measure(String executor, double seconds, long bytes) {
    tasks.computeIfAbsent(executor, unused -> new ArrayList<>()).add(new Task(seconds, bytes));
    isByBytes &= bytes > 0;
  }

  /** Whether a partition's weight is its bytes over the mean partition's, else 1. */
  boolean isByBytes() {
    return isByBytes;
  }

  /**
   * What a slot took for a unit of weight, by executor: the lower median over its tasks, or less if
   * most were a slot's first, since these wait for the stage's broadcasts, which took five times as
   * long as a partition.
   *
   * @param slots by executor; of others there is nothing
   */
  Map<String, Double> secondsPerWeight(Map<String, Integer> slots) {
    Map<String, Double> seconds = new HashMap<>();
    tasks.forEach(
        (executor, own) -> {
          if (slots.containsKey(executor)) {
            double[] sorted =
                own.stream().mapToDouble(task -> task.seconds / weight(task)).sorted().toArray();
            int later = own.size() - slots.get(executor); // than the first ones
            int median = (own.size() - 1) / 2;
            seconds.put(executor, sorted[later <= 0 ? median : Math.min(median, later - 1)]);
          }
        });
    return seconds;
  }

  /**
   * What its first task took a slot besides, by executor.
   *
   * @param secondsPerWeight by executor
   * @param slots by executor
   */
  Map<String, Double> fixedSeconds(
      Map<String, Double> secondsPerWeight, Map<String, Integer> slots) {
    Map<String, Double> fixed = new HashMap<>();
    secondsPerWeight.forEach(
        (executor, perWeight) -> {
          double rest = 0;
          for (Task task : tasks.get(executor)) {
            rest += task.seconds - perWeight * weight(task);
          }
          int used = Math.min(slots.get(executor), tasks.get(executor).size());
          fixed.put(executor, Math.max(0, rest / used));
        });
    return fixed;
  }

  private double weight(Task task) {
    return isByBytes ? task.bytes * count / bytes : 1;
  }

  /** The weights of tasks that were an executor's only one, whose time has the broadcasts', too. */
  Map<String, Double> onlyTasks() {
    Map<String, Double> only = new HashMap<>();
    tasks.forEach(
        (executor, own) -> {
          if (own.size() == 1) {
            only.put(executor, weight(own.get(0)));
          }
        });
    return only;
  }
}
