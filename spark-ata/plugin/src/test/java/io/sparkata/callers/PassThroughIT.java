package io.sparkata.callers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.logging.log4j.Level;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import scala.Tuple2;

/** What {@code spark.ata.passThrough=auto} leaves to MLlib on three executors, and at what cost. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PassThroughIT {
  private static final int FEATURES = 5;
  private static final int ITERATIONS = 3;

  private final Queue<String> stages = new ConcurrentLinkedQueue<>();
  private final TestCluster cluster =
      TestCluster.start(
          Map.of(
              "spark.ata.route", "gradientDescent",
              "spark.ata.passThrough", "auto",
              "spark.ata.report", "warn"));

  @BeforeAll
  void listen() {
    cluster
        .context()
        .sc()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onStageSubmitted(SparkListenerStageSubmitted event) {
                stages.add(String.valueOf(event.stageInfo().rddInfos().mkString(" ")));
              }
            });
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void train_enoughRows_isAllocated() {
    long rounds = cluster.counters().rounds.get();
    train(2000, 0.5);

    assertThat(cluster.counters().rounds.get() - rounds).isEqualTo(ITERATIONS + 1);
  }

  @Test
  void train_fewRowsTwice_isLeftToMllibWithOneWarning() {
    long passedThrough = cluster.counters().passedThrough.get();
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      for (int batch = 1; batch <= 2; batch++) { // as a stream does, from one place
        GradientDescent.runMiniBatchSGD(
            rows(60),
            new LogisticGradient(),
            new SquaredL2Updater(),
            1.0,
            ITERATIONS,
            0.01,
            /* miniBatchFraction= */ 1.0,
            Vectors.zeros(FEATURES),
            0.0);
      }

      String line =
          "Spark ATA left training \\d+ to Spark: GradientDescent.runMiniBatchSGD at"
              + " PassThroughIT.java:\\d+, because a round of 60 rows x 1.0 is too small to share"
              + " out among 3 executors. Use more rows, a larger fraction or fewer executors, or"
              + " set spark.ata.passThrough=never";
      assertThat(log.messages(Level.WARN)).singleElement().asString().matches(line);
      assertThat(log.messages(Level.INFO).stream().filter(info -> info.contains(" left training")))
          .singleElement()
          .asString()
          .matches(line);
    }
    assertThat(cluster.counters().passedThrough.get() - passedThrough).isEqualTo(2);
    assertThat(cluster.counters().fallbacks).hasValue(0);
    assertThat(cluster.runtime().openCalls()).isZero();
  }

  @Test
  void train_tinyFraction_isCountedBeforeAnyRowIsPacked() {
    stages.clear();
    Tuple2<Vector, double[]> trained = train(2000, 0.005);

    assertThat(trained._2()).hasSize(ITERATIONS + 1);
    // One more job, so that the listener has received those before it.
    assertThat(cluster.context().parallelize(List.of(1, 2), 2).count()).isEqualTo(2);
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> stages.size() > ITERATIONS + 2);
    assertThat(stages).noneMatch(names -> names.contains("Spark ATA"));
  }

  private Tuple2<Vector, double[]> train(int rows, double fraction) {
    return GradientDescent.runMiniBatchSGD(
        rows(rows),
        new LogisticGradient(),
        new SquaredL2Updater(),
        1.0,
        ITERATIONS,
        0.01,
        fraction,
        Vectors.zeros(FEATURES),
        0.0);
  }

  private RDD<Tuple2<Object, Vector>> rows(int count) {
    return TestData.partitions(
        cluster.context(), TestData.rows(count, FEATURES, /* sparse= */ false, 1), 3);
  }
}
