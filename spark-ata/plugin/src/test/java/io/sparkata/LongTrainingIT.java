package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.sparkata.testing.JvmState;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.SteppingUpdater;
import io.sparkata.testing.TestCluster;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private static final long MARGIN_BYTES = 8 << 20;

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
      List<Map<Long, JvmState>> states = new ArrayList<>();
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
                  states.add(JvmState.all(cluster.context()));
                }
              });
      training(cluster.context()).trainBySparkAta(null, updater);

      assertThat(states).hasSize(2);
      print(times, 1_000);
      print(times, ITERATIONS - 1_100);
      states
          .get(0)
          .forEach(
              (process, before) ->
                  System.out.printf(
                      "process %d: %s%n",
                      process, before.comparedWith(states.get(1).get(process))));
      assertThat(states.get(1)).containsOnlyKeys(states.get(0).keySet());
      states
          .get(0)
          .forEach(
              (process, before) -> {
                JvmState after = states.get(1).get(process);
                assertThat(after.usedBytes())
                    .as("used heap")
                    .isLessThan(before.usedBytes() + MARGIN_BYTES);
                assertThat(after.ours()).as("threads of ours").isEqualTo(before.ours());
              });
      assertThat(cluster.counters().fallbacks).hasValue(0);
    }
  }

  private static Mllib training(JavaSparkContext spark) {
    return Mllib.logistic(spark, 600, /* features= */ 20, /* partitions= */ 3, ITERATIONS);
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
}
