package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.GpuRequiredException;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.TestData;
import java.util.HashMap;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** The plugin's start and stop, and what is logged where it is off or not there. */
@Tag("spark")
class AtaPluginTest {
  private static Map<String, String> on(String key, String value) {
    return Map.of(
        "spark.plugins", AtaPlugin.class.getName(), "spark.ata.enabled", "true", key, value);
  }

  private static Map<String, String> withPlugin(String key, String value) {
    return Map.of("spark.plugins", AtaPlugin.class.getName(), key, value);
  }

  @Test
  void start_enabled_logsOneLineAndAClosingOne() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      JavaSparkContext spark = LocalSpark.startPlain(on("spark.ata.policy", "uniform"));
      assertThat(AtaRuntime.of(spark.sc())).isPresent();
      assertThat(log.messages(Level.INFO))
          .filteredOn(line -> line.contains(" is on: "))
          .singleElement()
          .asString()
          .contains(
              "mode=train route=gradientDescent,lbfgs policy=uniform seed=42 passThrough=auto"
                  + " onError=fallback gpu=auto kernel=")
          .contains("master=local[2]");

      spark.close();

      assertThat(AtaRuntime.of(spark.sc())).isEmpty();
      assertThat(log.messages(Level.INFO))
          .contains("Spark ATA: calls=0 routed=0 rounds=0 byMessage=0 passedThrough=0 fallbacks=0");
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }

  @Test
  void start_unknownKey_warnsWithTheNearestKnownOne() {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = LocalSpark.startPlain(on("spark.ata.polcy", "uniform"))) {
      assertThat(AtaRuntime.of(spark.sc()).orElseThrow().conf().policy()).isEqualTo("adaptive");
      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: Invalid key: spark.ata.polcy (it has no effect; the nearest key is"
                  + " spark.ata.policy)");
    }
  }

  @Test
  void start_theFlagMisspelt_warnsToo() {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = LocalSpark.startPlain(withPlugin("spark.ata.enable", "true"))) {
      assertThat(AtaRuntime.of(spark.sc())).isEmpty();
      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: Invalid key: spark.ata.enable (it has no effect; the nearest key is"
                  + " spark.ata.enabled)");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spark.ata.enabled|yes|Invalid spark.ata.enabled: 'yes' (true or false)",
        "spark.ata.policy|foo|Invalid spark.ata.policy: 'foo' (one of adaptive, ata,"
            + " ata-empirical, optimal-fixed, proportional, proportional-control, self-adaptive,"
            + " static, uniform, or a class name)",
        "spark.ata.policy|static|Cannot use the policy 'static': it needs the time per sample of"
            + " every executor. Set spark.ata.policy.means to executor=number pairs with commas"
            + " between them, every executor once, every number greater than 0, such as 0=1,1=2.5",
      })
  void start_badValue_isOneWarningOrFailsTheContext(String key, String value, String message) {
    Map<String, String> settings = new HashMap<>(on("spark.app.id", "bad-value"));
    settings.put(key, value);
    assertOffWithOneWarning(settings, message);

    for (Map.Entry<String, String> failing :
        Map.of("spark.ata.onError", "fail", "spark.ata.gpu", "required").entrySet()) {
      Map<String, String> strict = new HashMap<>(settings);
      strict.put(failing.getKey(), failing.getValue());
      assertThatThrownBy(() -> LocalSpark.startPlain(strict)).hasMessage(message);
    }
  }

  @Test
  void start_badOnError_isOneWarning() {
    assertOffWithOneWarning(
        on("spark.ata.onError", "panic"), "Invalid spark.ata.onError: 'panic' (fallback or fail)");
  }

  private static void assertOffWithOneWarning(Map<String, String> settings, String message) {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = LocalSpark.startPlain(settings)) {
      assertThat(AtaRuntime.of(spark.sc())).isEmpty();
      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: cannot start ("
                  + message
                  + "); everything trains by Spark alone. Set spark.ata.onError=fail to have the"
                  + " exception instead, or spark.ata.enabled=false");
    }
  }

  @Test
  void train_localMode_passesThroughAndWarnsWhyOncePerCaller() {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = LocalSpark.startPlain(on("spark.ata.policy", "adaptive"))) {
      train(spark); // twice: ours and, routed, MLlib's own class
      train(spark);

      String because =
          ", because the master is local: there is one executor only. Use a cluster, or set"
              + " spark.ata.passThrough=never";
      assertThat(log.messages(Level.WARN))
          .map(line -> line.replaceFirst("AtaPluginTest.java:\\d+", "HERE"))
          .containsExactly(
              "Spark ATA left training 1 to Spark: AtaGradientDescent.optimize at HERE" + because,
              "Spark ATA left training 2 to Spark: GradientDescent.optimize at HERE" + because);
      assertThat(AtaRuntime.of(spark.sc()).orElseThrow().counters().passedThrough).hasValue(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fallback", "fail"})
  void train_gpuRequiredAndNoneAssigned_failsWithTheCauseWhateverOnErrorSays(String onError) {
    Map<String, String> settings = new HashMap<>(on("spark.ata.gpu", "required"));
    settings.put("spark.ata.onError", onError);
    try (JavaSparkContext spark = LocalSpark.startPlain(settings)) {
      String host = AtaRuntime.of(spark.sc()).orElseThrow().cluster().live().get(0).host();

      assertThatThrownBy(() -> train(spark))
          .isInstanceOf(GpuRequiredException.class)
          .hasMessage(
              "Cannot train with spark.ata.gpu=required: no executor has a usable GPU after 0 s of"
                  + " waiting (executor driver on "
                  + host
                  + ": Spark assigned it no address, set spark.executor.resource.gpu.amount). Set"
                  + " spark.ata.gpu=auto to compute on the CPU where there is no usable GPU");
      assertThat(AtaRuntime.of(spark.sc()).orElseThrow().counters().fallbacks).hasValue(0);
      assertThat(AtaRuntime.of(spark.sc()).orElseThrow().counters().passedThrough).hasValue(0);
    }
  }

  @Test
  void start_localMode_saysOnceWhatComputes() {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = LocalSpark.startPlain(on("spark.ata.gpu", "auto"))) {
      assertThat(AtaRuntime.of(spark.sc()).orElseThrow().cluster().live())
          .extracting(Executor::device)
          .containsExactly(Device.CPU);
      assertThat(log.lines())
          .filteredOn(line -> line.contains(" computes with "))
          .map(line -> line.replaceFirst(" on \\S+ computes with vectors of \\d+ bits$", ""))
          .containsExactly("INFO io.sparkata.AtaExecutorPlugin: Spark ATA: executor driver");
    }
  }

  @Test
  void train_noPlugin_isMllibWithOneWarning() {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      train(spark);
      train(spark);

      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA is not running in this application, so MLlib trains. Set"
                  + " spark.plugins=io.sparkata.AtaPlugin and spark.ata.enabled=true");
    }
  }

  @Test
  void train_switchedOff_isMllibWithoutWarning() {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = LocalSpark.startPlain(withPlugin("spark.ata.enabled", "false"))) {
      assertThat(AtaRuntime.of(spark.sc())).isEmpty();
      train(spark);

      assertThat(log.messages(Level.WARN)).isEmpty();
      assertThat(log.messages(Level.INFO))
          .containsExactly("Spark ATA is off (spark.ata.enabled=false): MLlib trains");
    }
  }

  private static void train(JavaSparkContext spark) {
    RDD<Tuple2<Object, Vector>> data =
        TestData.partitions(spark, TestData.rows(100, 5, false, 1), 2);
    Vector ours =
        new AtaGradientDescent(new LogisticGradient(), new SquaredL2Updater())
            .setNumIterations(3)
            .optimize(data, Vectors.zeros(5));
    Vector mllibs =
        new GradientDescent(new LogisticGradient(), new SquaredL2Updater())
            .setNumIterations(3)
            .optimize(data, Vectors.zeros(5));
    assertThat(Math.sqrt(Vectors.sqdist(ours, mllibs))).isLessThan(1e-12);
  }
}
