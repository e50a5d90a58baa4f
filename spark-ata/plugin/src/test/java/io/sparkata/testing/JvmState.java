package io.sparkata.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.SparkListeners;
import java.io.File;
import java.io.Serializable;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * A JVM's used heap after garbage collections, its threads, how many of each name, and its open
 * files.
 */
public record JvmState(long usedBytes, TreeMap<String, Integer> threads, int files)
    implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int TASKS = 64;
  private static final int COLLECTIONS = 4;
  private static final long CLEANING_NANOS = 300_000_000;
  private static final double MIB = 1 << 20;
  private static final int MARGIN_FILES = 20;

  /** A healthy run grows by up to 3 MiB, which are Spark's jobs, stages and tasks in its store. */
  private static final long MARGIN_BYTES = 6 << 20;

  /** Settings with which Spark's store of past work is soon full, and no longer grows. */
  public static final Map<String, String> SMALL_STORE =
      Map.of(
          "spark.ui.retainedJobs", "50",
          "spark.ui.retainedStages", "50",
          "spark.ui.retainedTasks", "500",
          "spark.ui.retainedDeadExecutors", "2",
          "spark.streaming.ui.retainedBatches", "50");

  private static JvmState ofThisJvm() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      LockSupport.parkNanos(CLEANING_NANOS); // Spark's cleaner frees what a collection found
    }
    Runtime runtime = Runtime.getRuntime();
    TreeMap<String, Integer> threads = new TreeMap<>();
    Thread.getAllStackTraces()
        .keySet()
        .forEach(one -> threads.merge(one.getName().replaceAll("\\d+", "#"), 1, Integer::sum));
    String[] files = new File("/proc/self/fd").list();
    return new JvmState(
        runtime.totalMemory() - runtime.freeMemory(), threads, files == null ? 0 : files.length);
  }

  /** Of the driver; the listeners have had all events so far. */
  public static JvmState ofDriver(JavaSparkContext spark) {
    return all(spark).get(ProcessHandle.current().pid());
  }

  /** Of the driver and the executors, by their process ids. */
  public static Map<Long, JvmState> all(JavaSparkContext spark) {
    Map<Long, JvmState> states =
        new TreeMap<>(
            spark
                .parallelize(IntStream.range(0, TASKS).boxed().toList(), TASKS)
                .mapToPair(task -> new Tuple2<>(ProcessHandle.current().pid(), ofThisJvm()))
                .collectAsMap());
    SparkListeners.awaitListeners(spark.sc(), /* millis= */ 30_000); // events wait in queues
    states.put(ProcessHandle.current().pid(), ofThisJvm());
    return states;
  }

  public int threadCount() {
    return threads.values().stream().mapToInt(count -> count).sum();
  }

  /** Threads of ours: Spark's own pools grow up to a limit. */
  public Map<String, Integer> ours() {
    Map<String, Integer> ours = new TreeMap<>(threads);
    ours.keySet().removeIf(name -> !name.startsWith("spark-ata"));
    return ours;
  }

  /**
   * Asserts that a later state has no more memory, files and threads of ours; prints both.
   *
   * @param work what was done until then
   */
  public void assertFlat(String work, JvmState after) {
    System.out.printf("%s: %s%n", work, comparedWith(after));
    assertThat(after.usedBytes).as("heap").isLessThan(usedBytes + MARGIN_BYTES);
    assertThat(after.files).as("files").isLessThan(files + MARGIN_FILES);
    assertThat(after.ours()).as("threads of ours").isEqualTo(ours());
  }

  /** How a later state differs. */
  public String comparedWith(JvmState after) {
    Map<String, Integer> more = new TreeMap<>(after.threads);
    threads.forEach((name, count) -> more.merge(name, -count, Integer::sum));
    more.values().removeIf(count -> count == 0);
    return String.format(
        Locale.ROOT,
        "heap %.1f MiB, later %.1f MiB; files %d, later %d; threads that came or went: %s",
        usedBytes / MIB,
        after.usedBytes / MIB,
        files,
        after.files,
        more);
  }
}
