package io.sparkata.testing;

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

  /** Threads of ours: Spark's own pools grow up to a limit. */
  public Map<String, Integer> ours() {
    Map<String, Integer> ours = new TreeMap<>(threads);
    ours.keySet().removeIf(name -> !name.startsWith("spark-ata"));
    return ours;
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
