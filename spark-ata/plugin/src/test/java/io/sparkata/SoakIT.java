package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.JvmState;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three hundred trainings in one application, an executor killed after every thirtieth: no memory,
 * thread or file more on the driver. Runs by {@code scripts/test --long soak}; prints its figures.
 */
@Tag("nightly")
class SoakIT {
  private static final int TRAININGS = Integer.getInteger("ata.soak.trainings", 300);
  private static final int KILL_EVERY = 30;
  private static final int FEATURES = 12;
  private static final int PARTITIONS = 4;
  private static final List<Fit> FITS = List.of(Fit.LOGISTIC, Fit.LINEAR_SVC, Fit.ELASTIC_NET);

  @Test
  void train_hundredsOfTimes_needsNoMoreMemoryThreadsOrFiles() {
    Map<String, String> settings = new HashMap<>(JvmState.SMALL_STORE);
    settings.put("spark.ata.route", "gradientDescent,lbfgs");
    settings.put("spark.ata.policy", "adaptive");
    settings.put("spark.ata.blockSize", "16k");
    settings.put("spark.deploy.maxExecutorRetries", "-1");
    try (TestCluster cluster = TestCluster.start(settings)) {
      JavaSparkContext spark = cluster.context();
      Leftovers leftovers = Leftovers.watch(spark);
      Map<Integer, JvmState> states = new HashMap<>();
      for (int training = 1; training <= TRAININGS; training++) {
        train(spark, training);
        if (training % KILL_EVERY == 0) {
          Processes.kill9(Processes.ofExecutors(spark).get(0));
          cluster.awaitExecutors(TestCluster.EXECUTORS);
        }
        if (training == TRAININGS / 5 || training == TRAININGS) {
          leftovers.awaitNone();
          states.put(training, JvmState.ofDriver(spark));
        }
      }

      states.get(TRAININGS / 5).assertFlat(TRAININGS + " trainings", states.get(TRAININGS));
      assertThat(cluster.counters().fallbacks).hasValue(0);
      assertThat(cluster.evaluations().fallbacks).hasValue(0);
      assertThat(cluster.counters().calls).hasValue(TRAININGS / 2L);
    }
  }

  /** By gradient descent and by L-BFGS in turns. */
  private static void train(JavaSparkContext spark, int training) {
    if (training % 2 == 0) {
      Mllib.logistic(spark, 2_000, FEATURES, PARTITIONS, /* iterations= */ 10).trainByMllib();
    } else {
      FitData data =
          FitData.even(spark, FEATURES, /* sparse= */ false, FitData.SMALL_BLOCKS, 900, PARTITIONS);
      FITS.get(training / 2 % FITS.size()).train(data, Fit.Terms.PLAIN, /* iterations= */ 5);
    }
  }
}
