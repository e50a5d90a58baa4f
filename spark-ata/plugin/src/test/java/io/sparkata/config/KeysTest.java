package io.sparkata.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** One row per key: its default, a legal change and its effect, a bad value and what it prints. */
class KeysTest {
  private static final String POLICY_RULE =
      "one of adaptive, ata, ata-empirical, optimal-fixed, proportional, proportional-control,"
          + " self-adaptive, static, uniform, or a class name";
  private static final String MEANS_RULE =
      "executor=number pairs with commas between them, every executor once, every number greater"
          + " than 0, such as 0=1,1=2.5";

  /** A free text: nothing is bad before it is used. */
  private static final String ANY = null;

  private record Row(
      String name,
      String defaultValue,
      String legal,
      String legalValue,
      String bad,
      String rule,
      Function<SparkConf, Object> value) {
    String key() {
      return "spark.ata." + name;
    }
  }

  private static final List<Row> ROWS =
      List.of(
          new Row("enabled", "false", "true", "true", "yes", "true or false", AtaKeys.ENABLED::in),
          new Row(
              "mode",
              "TRAIN",
              "observe",
              "OBSERVE",
              "watch",
              "train or observe",
              ofConf(AtaConf::mode)),
          new Row(
              "report", "WARN", "log", "LOG", "loud", "warn, log or off", ofConf(AtaConf::report)),
          new Row(
              "route",
              "[GRADIENT_DESCENT, LBFGS]",
              "lbfgs",
              "[LBFGS]",
              "false",
              "one or more of gradientDescent, lbfgs with commas between, or none",
              ofConf(AtaConf::routes)),
          new Row("policy", "adaptive", "ata", "ata", "ATA", POLICY_RULE, ofConf(AtaConf::policy)),
          new Row(
              "greedy.acknowledged",
              "false",
              "true",
              "true",
              "yes",
              "true or false",
              ofConf(AtaConf::isGreedyAcknowledged)),
          new Row(
              "policy.seed",
              "42",
              "-1",
              "-1",
              "1.5",
              "a whole number",
              ofConf(c -> c.settings().seed())),
          new Row(
              "policy.width",
              "OptionalDouble.empty",
              "2",
              "OptionalDouble[2.0]",
              "0",
              "a number greater than 0",
              ofConf(c -> c.settings().width())),
          new Row(
              "policy.alpha",
              "OptionalDouble.empty",
              "1e6",
              "OptionalDouble[1000000.0]",
              "-1",
              "a number greater than 0",
              ofConf(c -> c.settings().alpha())),
          new Row(
              "policy.eta",
              "OptionalDouble.empty",
              "1.5",
              "OptionalDouble[1.5]",
              "NaN",
              "a number greater than 0",
              ofConf(c -> c.settings().eta())),
          new Row(
              "policy.means",
              "{}",
              "0=2",
              "{0=Prior[mean=2.0, units=1.0]}",
              "0:2",
              MEANS_RULE,
              ofConf(c -> c.settings().priors())),
          new Row(
              "passThrough",
              "AUTO",
              "never",
              "NEVER",
              "always",
              "auto or never",
              ofConf(AtaConf::passThrough)),
          new Row(
              "onError",
              "FALLBACK",
              "fail",
              "FAIL",
              "panic",
              "fallback or fail",
              ofConf(AtaConf::onError)),
          new Row("gpu", "AUTO", "off", "OFF", "on", "auto, required or off", ofConf(AtaConf::gpu)),
          new Row(
              "gpu.precision",
              "false",
              "single",
              "true",
              "half",
              "double or single",
              conf -> AtaConf.gpuSettings(conf).isSingle()),
          new Row(
              "gpu.memoryFraction",
              "0.8",
              "0.5",
              "0.5",
              "1.1",
              "a number greater than 0 and at most 1",
              conf -> AtaConf.gpuSettings(conf).memoryFraction()),
          new Row(
              "blockSize",
              "4194304",
              "64k",
              "65536",
              "1023",
              "a size from 4k to 512m, such as 4m",
              ofConf(AtaConf::blockBytes)),
          new Row(
              "execution",
              "AUTO",
              "resident",
              "RESIDENT",
              "job",
              "stage, resident or auto",
              ofConf(AtaConf::execution)),
          new Row(
              "speeds.path",
              "Optional.empty",
              "/a.json",
              "Optional[/a.json]",
              ANY,
              ANY,
              ofConf(AtaConf::speedsPath)),
          new Row(
              "roundLog.path",
              "Optional.empty",
              "/logs",
              "Optional[/logs]",
              ANY,
              ANY,
              ofConf(AtaConf::roundLogPath)),
          new Row(
              "ui.enabled",
              "true",
              "false",
              "false",
              "no",
              "true or false",
              ofConf(AtaConf::hasUi)),
          new Row(
              "cache",
              "BALANCE",
              "observe",
              "OBSERVE",
              "on",
              "off, observe or balance",
              ofConf(AtaConf::cache)));

  private static Function<SparkConf, Object> ofConf(Function<AtaConf, Object> value) {
    return conf -> value.apply(AtaConf.of(conf));
  }

  @TestFactory
  List<DynamicTest> everyKey() {
    Map<String, Row> rows = ROWS.stream().collect(Collectors.toMap(Row::key, Function.identity()));
    assertThat(AtaKeys.entries())
        .extracting(ConfEntry::key)
        .containsExactlyInAnyOrderElementsOf(rows.keySet());
    return AtaKeys.entries().stream()
        .map(entry -> DynamicTest.dynamicTest(entry.key(), () -> check(rows.get(entry.key()))))
        .toList();
  }

  private static void check(Row row) {
    assertThat(row.value.apply(new SparkConf(false))).hasToString(row.defaultValue);
    assertThat(row.value.apply(new SparkConf(false).set(row.key(), row.legal)))
        .hasToString(row.legalValue);
    if (row.bad != null) {
      SparkConf bad = new SparkConf(false).set(row.key(), row.bad);
      assertThatThrownBy(() -> row.value.apply(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Invalid " + row.key() + ": '" + row.bad + "' (" + row.rule + ")");
    }
  }
}
