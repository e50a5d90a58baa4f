package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSuite;
import io.sparkata.testing.TestData;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkConf;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SimpleUpdater;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/**
 * MLlib's contract, point by point, with MLlib itself as the model: the same call twice, once by
 * MLlib and once through our rounds, and everything that can be seen compared, log lines included.
 */
@Tag("spark")
class MllibContractTest extends LocalSuite {
  private static final String MLLIB_LOGGER = GradientDescent.class.getName();

  @Override
  public SparkConf conf() {
    return super.conf()
        .set("spark.plugins", AtaPlugin.class.getName())
        .set("spark.ata.enabled", "true")
        .set("spark.ata.route", "none") // so that MLlib is MLlib
        .set("spark.ata.passThrough", "never")
        .set("spark.ata.onError", "fail");
  }

  /** One call with MLlib's arguments. */
  private record Call(
      RDD<Tuple2<Object, Vector>> data,
      Gradient gradient,
      Updater updater,
      double step,
      int iterations,
      double fraction,
      Vector start,
      double tolerance) {
    Tuple2<Vector, double[]> byMllib() {
      return GradientDescent.runMiniBatchSGD(
          data, gradient, updater, step, iterations, 0.01, fraction, start, tolerance);
    }

    Tuple2<Vector, double[]> bySparkAta() {
      return AtaGradientDescent.runMiniBatchSGD(
          data, gradient, updater, step, iterations, 0.01, fraction, start, tolerance);
    }
  }

  /** Runs both and compares weights, history and MLlib's log lines; returns ours. */
  private Tuple2<Vector, double[]> assertAlike(Call call) {
    Tuple2<Vector, double[]> mllibs;
    List<List<String>> mllibsLog;
    try (CapturedLog log = CapturedLog.of(MLLIB_LOGGER)) {
      mllibs = call.byMllib();
      mllibsLog = List.of(log.messages(Level.WARN), withoutDigitsPastTen(log.messages(Level.INFO)));
    }
    Tuple2<Vector, double[]> ours;
    try (CapturedLog log = CapturedLog.of(MLLIB_LOGGER)) {
      ours = call.bySparkAta();
      assertThat(log.messages(Level.WARN)).isEqualTo(mllibsLog.get(0));
      assertThat(withoutDigitsPastTen(log.messages(Level.INFO))).isEqualTo(mllibsLog.get(1));
    }
    assertThat(ours._2()).hasSameSizeAs(mllibs._2());
    for (int i = 0; i < ours._2().length; i++) {
      assertThat(rounded(ours._2()[i])).isEqualTo(rounded(mllibs._2()[i]));
    }
    assertThat(ours._1().size()).isEqualTo(mllibs._1().size());
    for (int i = 0; i < ours._1().size(); i++) {
      assertThat(rounded(ours._1().apply(i))).isEqualTo(rounded(mllibs._1().apply(i)));
    }
    return ours;
  }

  private static String rounded(double value) {
    return String.format("%.9e", value == 0 ? 0.0 : value);
  }

  /** MLlib prints losses in full; the last digits depend on the order of addition. */
  private static List<String> withoutDigitsPastTen(List<String> messages) {
    return messages.stream().map(m -> m.replaceAll("(\\d\\.\\d{9})\\d*", "$1")).toList();
  }

  private RDD<Tuple2<Object, Vector>> rows(int count) {
    return TestData.partitions(jsc(), TestData.rows(count, 10, false, 1), 3);
  }

  private Call logistic(RDD<Tuple2<Object, Vector>> data, int iterations, double fraction) {
    return new Call(
        data,
        new LogisticGradient(),
        new SquaredL2Updater(),
        1.0,
        iterations,
        fraction,
        Vectors.zeros(10),
        0.0);
  }

  @Test
  void run_fullBatches_isMllibs() {
    long roundsBefore = runtime().counters().rounds.get();
    Tuple2<Vector, double[]> ours = assertAlike(logistic(rows(400), 12, 1.0));
    assertThat(ours._2()).hasSize(13);
    assertThat(runtime().counters().rounds.get() - roundsBefore).isEqualTo(13);
  }

  @Test
  void run_miniBatches_isMllibsWithItsWarnings() {
    assertAlike(logistic(rows(400), 12, 0.2));
    assertAlike(logistic(rows(400), 2, 0.2)); // numIterations * fraction < 1
    Call converging =
        new Call(
            rows(400),
            new LogisticGradient(),
            new SquaredL2Updater(),
            1.0,
            12,
            0.5,
            Vectors.zeros(10),
            0.001);
    assertAlike(converging); // a tolerance with mini-batches
  }

  @Test
  void run_emptyBatches_warnsAndLeavesThemOut() {
    Tuple2<Vector, double[]> ours = assertAlike(logistic(rows(20), 30, 0.03));
    assertThat(ours._2().length).isBetween(1, 30); // some of the 31 passes drew nothing
    assertAlike(logistic(rows(20), 3, 0.001)); // the fraction is too small
  }

  @Test
  void run_noIterations_computesOneLoss() {
    assertThat(assertAlike(logistic(rows(50), 0, 1.0))._2()).hasSize(1);
  }

  @Test
  void run_converging_stopsInTheSameIteration() {
    Call call =
        new Call(
            rows(400),
            new LeastSquaresGradient(),
            new SimpleUpdater(),
            0.5,
            200,
            1.0,
            Vectors.zeros(10),
            0.01);
    assertThat(assertAlike(call)._2().length).isBetween(3, 199);
  }

  @Test
  void run_noRows_returnsTheVeryInitialWeights() {
    Vector start = Vectors.dense(new double[] {1, 2});
    Call call =
        new Call(
            jsc().<Tuple2<Object, Vector>>parallelize(new ArrayList<>(), 2).rdd(),
            new LogisticGradient(),
            new SquaredL2Updater(),
            1.0,
            5,
            1.0,
            start,
            0.0);
    assertThat(assertAlike(call)._1()).isSameAs(start);
  }

  @Test
  void run_divergingToNaN_raisesNothing() {
    Call call =
        new Call(
            rows(100),
            new LeastSquaresGradient(),
            new SimpleUpdater(),
            1e200,
            8,
            1.0,
            Vectors.zeros(10),
            0.001);
    assertThat(assertAlike(call)._1().apply(0)).isNaN();
  }

  @Test
  void run_noFeatures_works() {
    Vector none = Vectors.dense(new double[0]);
    List<Tuple2<Object, Vector>> rows =
        List.of(new Tuple2<>(1.0, none), new Tuple2<>(0.0, none), new Tuple2<>(1.0, none));
    Call call =
        new Call(
            TestData.partitions(jsc(), rows, 2),
            new LeastSquaresGradient(),
            new SquaredL2Updater(),
            1.0,
            3,
            1.0,
            none,
            0.0);
    assertAlike(call);
  }

  @Test
  void run_threeClassesAndMixedRows_isMllibs() {
    List<Tuple2<Object, Vector>> rows = new ArrayList<>();
    for (Tuple2<Object, Vector> row : TestData.rows(300, 10, false, 2)) {
      Vector features = rows.size() % 2 == 0 ? row._2() : row._2().toSparse();
      rows.add(new Tuple2<>((double) (rows.size() % 3), features));
    }
    Call call =
        new Call(
            TestData.partitions(jsc(), rows, 3),
            new LogisticGradient(3),
            new SquaredL2Updater(),
            1.0,
            6,
            0.5,
            Vectors.zeros(20),
            0.0);
    assertAlike(call);
  }

  @Test
  void run_statefulUpdater_isCalledAsMllibCallsIt() {
    RecordingUpdater forMllib = new RecordingUpdater();
    RecordingUpdater forUs = new RecordingUpdater();
    RDD<Tuple2<Object, Vector>> data = rows(200);
    Vector start = Vectors.zeros(10);
    GradientDescent.runMiniBatchSGD(
        data, new LogisticGradient(), forMllib, 0.5, 5, 0.1, 0.3, start, 0.0);
    AtaGradientDescent.runMiniBatchSGD(
        data, new LogisticGradient(), forUs, 0.5, 5, 0.1, 0.3, start, 0.0);

    assertThat(forUs.calls).isEqualTo(forMllib.calls);
    assertThat(forUs.calls).hasSize(6).first().isEqualTo("step 0.0, iteration 1, reg 0.1");
  }

  private static final class RecordingUpdater extends Updater {
    private static final long serialVersionUID = 1L;
    private final ArrayList<String> calls = new ArrayList<>();
    private final SquaredL2Updater updater = new SquaredL2Updater();

    @Override
    public Tuple2<Vector, Object> compute(
        Vector weights, Vector gradient, double step, int iteration, double regParam) {
      calls.add("step " + step + ", iteration " + iteration + ", reg " + regParam);
      return updater.compute(weights, gradient, step, iteration, regParam);
    }
  }

  @Test
  void run_wrongNumberOfWeights_failsAsMllibFails() {
    Call call =
        new Call(
            rows(50),
            new LeastSquaresGradient(),
            new SimpleUpdater(),
            1.0,
            3,
            1.0,
            Vectors.zeros(7),
            0.0);
    assertThatThrownBy(call::byMllib).hasMessageContaining("requirement failed");
    assertThatThrownBy(call::bySparkAta).hasMessageContaining("requirement failed");
  }

  @Test
  void run_fractionOutOfRange_isLeftToMllib() {
    long before = runtime().counters().passedThrough.get();
    assertAlike(logistic(rows(50), 3, 0.0));
    assertThatThrownBy(() -> logistic(rows(50), 3, 1.5).byMllib())
        .hasMessageContaining("must be on interval [0, 1]");
    assertThatThrownBy(() -> logistic(rows(50), 3, 1.5).bySparkAta())
        .hasMessageContaining("must be on interval [0, 1]");
    assertThat(runtime().counters().passedThrough.get() - before).isEqualTo(2);
  }

  @Test
  void optimize_withSetters_isMllibs() {
    RDD<Tuple2<Object, Vector>> data = rows(300);
    GradientDescent mllib = set(new GradientDescent(new LogisticGradient(), new SimpleUpdater()));
    GradientDescent ours = set(new AtaGradientDescent(new LogisticGradient(), new SimpleUpdater()));

    Vector expected = mllib.optimize(data, Vectors.zeros(10));
    Vector actual = ours.optimize(data, Vectors.zeros(10));

    assertThat(Math.sqrt(Vectors.sqdist(actual, expected))).isLessThan(1e-12);
    assertThat(ours.optimizeWithLossReturned(data, Vectors.zeros(10))._2()).hasSize(10);
  }

  private static GradientDescent set(GradientDescent optimizer) {
    return optimizer
        .setStepSize(0.7)
        .setNumIterations(9)
        .setRegParam(0.2)
        .setMiniBatchFraction(0.4)
        .setConvergenceTol(1e-9)
        .setGradient(new LeastSquaresGradient())
        .setUpdater(new SquaredL2Updater());
  }

  @Test
  void setters_illegalValues_failAsMllibsDo() {
    GradientDescent mllib = new GradientDescent(new LogisticGradient(), new SimpleUpdater());
    GradientDescent ours = new AtaGradientDescent(new LogisticGradient(), new SimpleUpdater());
    assertSameFailure(() -> ours.setStepSize(0), () -> mllib.setStepSize(0));
    assertSameFailure(() -> ours.setMiniBatchFraction(0), () -> mllib.setMiniBatchFraction(0));
    assertSameFailure(() -> ours.setMiniBatchFraction(1.1), () -> mllib.setMiniBatchFraction(1.1));
    assertSameFailure(() -> ours.setNumIterations(-1), () -> mllib.setNumIterations(-1));
    assertSameFailure(() -> ours.setRegParam(-1), () -> mllib.setRegParam(-1));
    assertSameFailure(() -> ours.setConvergenceTol(2), () -> mllib.setConvergenceTol(2));
  }

  @Test
  void setPolicy_unknown_failsNamingThePolicies() {
    AtaGradientDescent ours = new AtaGradientDescent(new LogisticGradient(), new SimpleUpdater());
    assertThatThrownBy(() -> ours.setPolicy("foo"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Invalid spark.ata.policy: 'foo' (one of adaptive, ata, ata-empirical, optimal-fixed,"
                + " proportional, proportional-control, self-adaptive, static, uniform, or a class"
                + " name)");
  }

  private static void assertSameFailure(Runnable ours, Runnable mllibs) {
    String[] expected = new String[1];
    assertThatThrownBy(mllibs::run)
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(error -> expected[0] = error.getMessage());
    assertThatThrownBy(ours::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(expected[0]);
  }

  private AtaRuntime runtime() {
    return AtaRuntime.of(jsc().sc()).orElseThrow();
  }
}
