package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.SteppingUpdater;
import io.sparkata.testing.TestCluster;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/**
 * Ten thousand rounds, by message and as jobs: no memory and no thread more on driver and
 * executors. Runs with {@code scripts/test --all}, or alone with {@code
 * -Data.test.excludedGroups=gpu -Dit.test=LongTrainingIT}; prints its figures.
 */
@Tag("nightly")
class LongTrainingIT {
  private static final int FIRST = 2_000;
  private static final int LAST = 12_000;

  /** Some rounds run as jobs: after a measurement, its job's slots are not taken at once. */
  private static final int ITERATIONS = 13_000;

  private static final int TASKS = 64;
  private static final double MIB = 1 << 20;
  private static final long MARGIN_BYTES = 8 << 20;

  /** A JVM's used heap after garbage collections, and its threads: how many of each name. */
  record State(long usedBytes, TreeMap<String, Integer> threads) implements Serializable {
    private static final long serialVersionUID = 1L;

    static State ofThisJvm() {
      for (int i = 0; i < 3; i++) {
        System.gc();
      }
      Runtime runtime = Runtime.getRuntime();
      TreeMap<String, Integer> threads = new TreeMap<>();
      Thread.getAllStackTraces()
          .keySet()
          .forEach(one -> threads.merge(one.getName().replaceAll("\\d+", "#"), 1, Integer::sum));
      return new State(runtime.totalMemory() - runtime.freeMemory(), threads);
    }
  }

  /** When a round ended, and the CPU time of this JVM until then. */
  private record Moment(long nanos, long cpuNanos) {
    static Moment now() {
      OperatingSystemMXBean system =
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
      return new Moment(System.nanoTime(), system.getProcessCpuTime());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"resident", "stage"})
  void train_tenThousandRounds_needNoMoreMemoryOrThreads(String execution) {
    try (TestCluster cluster =
        TestCluster.start(
            Map.of(
                "spark.ata.execution", execution,
                "spark.ata.policy", "adaptive",
                "spark.ata.blockSize", "16k"))) {
      List<Map<Long, State>> states = new ArrayList<>();
      List<Moment> times = new ArrayList<>();
      SteppingUpdater updater =
          new SteppingUpdater(
              iteration -> {
                times.add(Moment.now());
                long rounds =
                    execution.equals("resident")
                        ? cluster.counters().residentRounds.get()
                        : cluster.counters().rounds.get();
                if ((rounds >= FIRST && states.isEmpty())
                    || (rounds >= LAST && states.size() == 1)) {
                  states.add(states(cluster.context()));
                }
              });
      training(cluster.context()).trainBySparkAta(null, updater);

      assertThat(states).hasSize(2);
      print(times, 1_000);
      print(times, ITERATIONS - 1_100);
      states
          .get(0)
          .forEach((process, before) -> print(process, before, states.get(1).get(process)));
      assertThat(states.get(1)).containsOnlyKeys(states.get(0).keySet());
      states
          .get(0)
          .forEach(
              (process, before) -> {
                State after = states.get(1).get(process);
                assertThat(after.usedBytes())
                    .as("used heap")
                    .isLessThan(before.usedBytes() + MARGIN_BYTES);
                assertThat(ours(after)).as("threads of ours").isEqualTo(ours(before));
              });
      assertThat(cluster.counters().fallbacks).hasValue(0);
    }
  }

  private static Mllib training(JavaSparkContext spark) {
    return Mllib.logistic(spark, 600, /* features= */ 20, /* partitions= */ 3, ITERATIONS);
  }

  /** By process: the driver's and each executor's. */
  private static Map<Long, State> states(JavaSparkContext spark) {
    Map<Long, State> states =
        new TreeMap<>(
            spark
                .parallelize(IntStream.range(0, TASKS).boxed().toList(), TASKS)
                .mapToPair(task -> new Tuple2<>(ProcessHandle.current().pid(), State.ofThisJvm()))
                .collectAsMap());
    SparkListeners.awaitListeners(spark.sc(), /* millis= */ 30_000); // events wait in queues
    states.put(ProcessHandle.current().pid(), State.ofThisJvm());
    return states;
  }

  /** Spark's own pools grow up to a limit. */
  private static Map<String, Integer> ours(State state) {
    Map<String, Integer> ours = new TreeMap<>(state.threads());
    ours.keySet().removeIf(name -> !name.startsWith("spark-ata"));
    return ours;
  }

  private static void print(List<Moment> times, int from) {
    double[] nanos =
        IntStream.range(from, from + 1_000)
            .mapToDouble(i -> times.get(i + 1).nanos - times.get(i).nanos)
            .sorted()
            .toArray();
    System.out.printf(
        "1,000 rounds from %,d: median %.2f ms, driver's CPU time %.2f ms per round%n",
        from,
        nanos[nanos.length / 2] / 1e6,
        (times.get(from + 1_000).cpuNanos - times.get(from).cpuNanos) / 1e9);
  }

  private static void print(long process, State before, State after) {
    Map<String, Integer> more = new TreeMap<>(after.threads());
    before.threads().forEach((name, count) -> more.merge(name, -count, Integer::sum));
    more.values().removeIf(count -> count == 0);
    System.out.printf(
        "process %d: heap %.1f MiB, later %.1f MiB; threads that came or went: %s%n",
        process, before.usedBytes() / MIB, after.usedBytes() / MIB, more);
  }
}
