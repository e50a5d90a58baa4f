package io.sparkata.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSuite;
import io.sparkata.testing.TestData;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkConf;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/** The loop on MLlib's own batches against MLlib: bits of the result and lines of the log. */
@Tag("spark")
class MllibParityTest extends LocalSuite {
  private static final double STEP = 0.5;
  private static final double REGULARISATION = 0.01;

  private RDD<Tuple2<Object, Vector>> data;

  private record Outcome(
      Vector weights, List<Double> losses, List<String> warnings, List<String> infos) {}

  @Override
  public SparkConf conf() {
    return super.conf().setMaster("local[1]");
  }

  /** One partition: with more, MLlib itself repeats only up to rounding. */
  @BeforeAll
  void makeData() {
    data = TestData.partitions(jsc(), TestData.rows(60, 4, /* sparse= */ false, 1), 1);
  }

  @ParameterizedTest
  @CsvSource({
    "5, 1.0, 0.0", // plain
    "0, 1.0, 0.0", // one pass for the loss
    "15, 0.5, 0.0", // more losses than the last line shows
    "15, 0.3, 0.001", // unstable tolerance
    "100, 1.0, 0.05", // converges
    "12, 0.02, 0.0", // empty batches
    "3, 0.01, 0.0" // too small a fraction, examples left out
  })
  void run_onMllibsBatches_isMllibBitForBit(int iterations, double fraction, double tolerance) {
    Vector start = Vectors.dense(0.1, -0.1, 0, 1);

    Training training = training(data, start, iterations, fraction, tolerance);

    Outcome ours = ours(training);

    assertThat(ours).isEqualTo(outcome(training::byMllib));
    assertThat(ours.infos()).hasSize(1);
  }

  @Test
  void run_noRows_isMllibBitForBit() {
    RDD<Tuple2<Object, Vector>> none = TestData.unequalPartitions(jsc(), List.of(), 0, 0);
    Vector start = Vectors.dense(1, 2);

    Training training = training(none, start, 3, 1.0, 0.0);

    Outcome ours = ours(training);

    assertThat(ours).isEqualTo(outcome(training::byMllib));
    assertThat(ours.weights()).isSameAs(start);
  }

  private static Training training(
      RDD<Tuple2<Object, Vector>> data,
      Vector start,
      int iterations,
      double fraction,
      double tolerance) {
    return new Training(
        data,
        new LogisticGradient(),
        new SquaredL2Updater(),
        STEP,
        iterations,
        REGULARISATION,
        fraction,
        start,
        tolerance);
  }

  private static Outcome ours(Training training) {
    return outcome(() -> new GradientDescentLoop(training, new MllibBatches(training)).run());
  }

  private static Outcome outcome(Supplier<Tuple2<Vector, double[]>> training) {
    try (CapturedLog log = CapturedLog.of("org.apache.spark.mllib.optimization.GradientDescent")) {
      Tuple2<Vector, double[]> trained = training.get();
      List<Double> losses = Arrays.stream(trained._2()).boxed().toList();
      return new Outcome(trained._1(), losses, log.messages(Level.WARN), log.messages(Level.INFO));
    }
  }
}
