package io.sparkata.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.Kryo;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSpark;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.plugin.PluginContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Parts that cannot be loaded, behind a gate that lets them through. */
@Tag("spark")
class PartsTest {
  private static final String ABSENT = "io.sparkata.Absent";
  private static final String CAUSE = "The jar of Spark ATA lacks " + ABSENT;
  private static final Map<String, String> STARTED = Map.of(GatedDriver.STARTED, "true");

  private static JavaSparkContext spark;

  private final List<Object> asked = new ArrayList<>();

  @BeforeAll
  static void start() {
    spark = LocalSpark.startPlain(Map.of());
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  /** An executor's, with {@code settings} of the application. */
  private PluginContext context(Map<String, String> settings) {
    SparkConf conf = new SparkConf(false);
    settings.forEach(conf::set);
    return (PluginContext)
        Proxy.newProxyInstance(
            PartsTest.class.getClassLoader(),
            new Class<?>[] {PluginContext.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "executorID" -> "7";
                  case "conf" -> conf;
                  case "ask" -> asked.add(arguments[0]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void executor_partThatCannotLoad_isOneWarningHereAndAMessageToTheDriver() {
    GatedExecutor executor = new GatedExecutor(ABSENT);
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      executor.init(context(Map.of()), STARTED);
      executor.shutdown();

      assertThat(log.lines())
          .containsExactly(
              "WARN io.sparkata.gate.GatedExecutor: Spark ATA: executor 7 cannot take part"
                  + " (java.lang.IllegalStateException: "
                  + CAUSE
                  + "); trainings are left to Spark");
    }
    assertThat(asked).singleElement().isInstanceOf(Map.class);
    Map<?, ?> message = (Map<?, ?>) asked.get(0);
    assertThat(message.get(GatedExecutor.EXECUTOR)).isEqualTo("7");
    assertThat((String) message.get(GatedExecutor.HOST)).isNotEmpty();
    assertThat((String) message.get(GatedExecutor.MISFIT)).contains(CAUSE);
  }

  @Test
  void executor_driverThatHasNotStarted_doesNothing() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      new GatedExecutor(ABSENT).init(context(Map.of()), Map.of());

      assertThat(log.lines()).isEmpty();
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void driver_partThatCannotLoad_isOneWarningOrTheException() {
    Map<String, String> on = Map.of("spark.ata.enabled", "true");
    Map<String, String> failing = Map.of("spark.ata.enabled", "true", "spark.ata.onError", "fail");
    GatedDriver driver = new GatedDriver(ABSENT);
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      assertThat(driver.init(spark.sc(), context(on))).isEmpty();

      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: cannot start ("
                  + CAUSE
                  + "); everything trains by Spark alone. Set spark.ata.onError=fail to have the"
                  + " exception instead, or spark.ata.enabled=false");
    }
    assertThatThrownBy(() -> driver.init(spark.sc(), context(failing)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(CAUSE);
  }

  /** Spark makes a Kryo for every thread; no other test of this JVM may warn before. */
  @Test
  void kryo_registrationsThatCannotLoad_areNoneWithOneWarning() {
    Kryo kryo = new Kryo();
    int before = kryo.getNextRegistrationId();
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      GatedKryo.register(ABSENT, kryo);
      GatedKryo.register(ABSENT, kryo);

      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: cannot register its classes with Kryo; with"
                  + " spark.kryo.registrationRequired=true trainings are left to Spark. Set"
                  + " spark.ata.enabled=false");
    }
    assertThat(kryo.getNextRegistrationId()).isEqualTo(before);
  }
}
