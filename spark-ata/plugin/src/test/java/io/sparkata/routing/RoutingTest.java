package io.sparkata.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.AtaGradientDescent;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import io.sparkata.testing.Bytecode;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.TestData;
import java.util.HashMap;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.GradientDescent$;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/** Callers of MLlib's GradientDescent, routed by the plugin. */
@Tag("spark")
class RoutingTest {
  private static final int ITERATIONS = 4;

  @Test
  void train_mllibsOwnClass_isRoutedAndGivesMllibsWeights() {
    Tuple2<Vector, double[]> stock = trainIn(Map.of(), new Counters());

    Counters counters = new Counters();
    Tuple2<Vector, double[]> routed = trainIn(Map.of("spark.ata.enabled", "true"), counters);

    assertThat(Math.sqrt(Vectors.sqdist(routed._1(), stock._1()))).isLessThan(1e-12);
    assertThat(routed._2()).hasSize(ITERATIONS + 1);
    assertThat(counters)
        .hasToString("calls=1 routed=1 rounds=5 byMessage=0 passedThrough=0 fallbacks=0");
  }

  @Test
  void train_contextsOneAfterTheOther_eachIsRouted() throws Exception {
    for (int context = 0; context < 3; context++) {
      Counters counters = new Counters();
      trainIn(Map.of("spark.ata.enabled", "true"), counters);
      assertThat(counters.routed).hasValue(1);
      assertThat(Bytecode.isWoven(GradientDescent$.class)).isFalse();
      assertThat(Bytecode.isWoven(RDD.class)).isFalse();
    }
    Counters counters = new Counters();
    trainIn(Map.of("spark.ata.enabled", "true", "spark.ata.route", "none"), counters);
    assertThat(counters.routed).hasValue(0);
  }

  /** Spark does not notify plugins if its start fails after theirs. */
  @Test
  void train_afterAStartThatFailed_isRoutedOnce() {
    Map<String, String> failing =
        Map.of(
            "spark.ata.enabled",
            "true",
            "spark.plugins",
            "io.sparkata.AtaPlugin," + FailingPlugin.class.getName());
    assertThatThrownBy(() -> start(failing)).hasMessage("on purpose");

    try (JavaSparkContext spark =
        start(Map.of("spark.ata.enabled", "true", "spark.ata.passThrough", "auto"))) {
      train(spark);
      assertThat(AtaRuntime.of(spark.sc()).orElseThrow().counters())
          .hasToString("calls=1 routed=1 rounds=0 byMessage=0 passedThrough=1 fallbacks=0");
    }
  }

  /** Its driver does not start. */
  public static final class FailingPlugin implements SparkPlugin {
    @Override
    public DriverPlugin driverPlugin() {
      return new DriverPlugin() {
        @Override
        public Map<String, String> init(SparkContext context, PluginContext pluginContext) {
          throw new IllegalStateException("on purpose");
        }
      };
    }

    @Override
    public ExecutorPlugin executorPlugin() {
      return null;
    }
  }

  @ParameterizedTest
  @CsvSource({"gradientDescent, true, false", "lbfgs, false, true", "none, false, false"})
  void start_someRoutes_weavesTheirMethodsOnly(
      String routes, boolean weavesGradientDescent, boolean weavesTreeAggregate) throws Exception {
    try (JavaSparkContext spark =
        start(Map.of("spark.ata.enabled", "true", "spark.ata.route", routes))) {
      assertThat(spark.sc().isStopped()).isFalse();
      assertThat(Bytecode.isWoven(GradientDescent$.class)).isEqualTo(weavesGradientDescent);
      assertThat(Bytecode.isWoven(RDD.class)).isEqualTo(weavesTreeAggregate);
    }
  }

  @Test
  void train_passedThrough_isMllibsOwnBodyOnce() {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark =
            start(Map.of("spark.ata.enabled", "true", "spark.ata.passThrough", "auto"))) {
      train(spark);
      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .startsWith(
              "Spark ATA left training 1 to Spark: GradientDescent.optimizeWithLossReturned at"
                  + " RoutingTest.java:");
      new AtaGradientDescent(new LogisticGradient(), new SquaredL2Updater())
          .optimize(data(spark), Vectors.zeros(5));

      assertThat(AtaRuntime.of(spark.sc()).orElseThrow().counters())
          .hasToString("calls=2 routed=1 rounds=0 byMessage=0 passedThrough=2 fallbacks=0");
    }
  }

  private static JavaSparkContext start(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.putIfAbsent("spark.plugins", "io.sparkata.AtaPlugin");
    all.putIfAbsent("spark.ata.passThrough", "never");
    return LocalSpark.startPlain(all);
  }

  private static Tuple2<Vector, double[]> trainIn(
      Map<String, String> settings, Counters countersAfter) {
    try (JavaSparkContext spark = start(settings)) {
      Tuple2<Vector, double[]> trained = train(spark);
      AtaRuntime.of(spark.sc())
          .map(AtaRuntime::counters)
          .ifPresent(
              counters -> {
                countersAfter.calls.set(counters.calls.get());
                countersAfter.routed.set(counters.routed.get());
                countersAfter.rounds.set(counters.rounds.get());
                countersAfter.passedThrough.set(counters.passedThrough.get());
                countersAfter.fallbacks.set(counters.fallbacks.get());
              });
      return trained;
    }
  }

  private static Tuple2<Vector, double[]> train(JavaSparkContext spark) {
    return new GradientDescent(new LogisticGradient(), new SquaredL2Updater())
        .setNumIterations(ITERATIONS)
        .setConvergenceTol(0)
        .optimizeWithLossReturned(data(spark), Vectors.zeros(5));
  }

  private static RDD<Tuple2<Object, Vector>> data(JavaSparkContext spark) {
    return TestData.partitions(spark, TestData.rows(100, 5, false, 1), 2);
  }
}
