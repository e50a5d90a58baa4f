package io.sparkata.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.testing.ScatterPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AtaConfTest {

  @Test
  void of_nothingSet_isTheDefaults() {
    AtaConf conf = AtaConf.of(new SparkConf(false));

    assertThat(conf)
        .isEqualTo(
            new AtaConf(
                "adaptive",
                42,
                OptionalDouble.empty(),
                PassThrough.AUTO,
                OnError.FALLBACK,
                4L << 20,
                Optional.empty()));
    assertThat(AtaConf.ENABLED.in(new SparkConf(false))).isFalse();
  }

  @Test
  void of_everyKeySet_isWhatWasSet() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.ata.enabled", "true")
            .set("spark.ata.policy", "uniform")
            .set("spark.ata.policy.seed", "-7")
            .set("spark.ata.policy.width", "0.25")
            .set("spark.ata.passThrough", "never")
            .set("spark.ata.onError", "fail")
            .set("spark.ata.blockSize", "64k")
            .set("spark.ata.roundLog.path", "/logs");

    assertThat(AtaConf.of(conf))
        .isEqualTo(
            new AtaConf(
                "uniform",
                -7,
                OptionalDouble.of(0.25),
                PassThrough.NEVER,
                OnError.FAIL,
                64L << 10,
                Optional.of("/logs")));
    assertThat(AtaConf.ENABLED.in(conf)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"1k, 1024", "512m, 536870912", "4M, 4194304", "2048, 2048"})
  void of_blockSize_takesSparksSizes(String text, long bytes) {
    assertThat(AtaConf.of(with("blockSize", text)).blockBytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1023", "513m", "4 parsecs", "-4m", "", "99999999999t"})
  void of_badBlockSize_throwsWithTheRule(String text) {
    assertInvalid("blockSize", text, "a size from 1k to 512m, such as 4m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo", "Adaptive", "java.lang.NoSuchClass", ""})
  void of_unknownPolicy_throwsWithTheIds(String text) {
    assertInvalid("policy", text, "one of adaptive, ata, uniform, or a class name");
  }

  @Test
  void of_classThatIsNoPolicy_throwsWithTheInterface() {
    assertInvalid(
        "policy", "java.lang.String", "must implement io.sparkata.allocation.AllocationPolicy");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "forty-two", "", "9223372036854775808"})
  void of_badSeed_throwsWithTheRule(String text) {
    assertInvalid("policy.seed", text, "a whole number");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN", "Infinity", "wide"})
  void of_badWidth_throwsWithTheRule(String text) {
    assertInvalid("policy.width", text, "a number greater than 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"AUTO", "always", ""})
  void of_badPassThrough_throwsWithTheRule(String text) {
    assertInvalid("passThrough", text, "auto or never");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ignore", "FAIL", ""})
  void of_badOnError_throwsWithTheRule(String text) {
    assertInvalid("onError", text, "fallback or fail");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRUE", "1", "yes", ""})
  void enabled_neitherTrueNorFalse_throwsWithTheRule(String text) {
    assertThatThrownBy(() -> AtaConf.ENABLED.in(with("enabled", text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid spark.ata.enabled: '" + text + "' (true or false)");
  }

  @Test
  void of_keysSetToNothingThatHaveNoDefault_areUnset() {
    SparkConf conf = with("policy.width", "").set("spark.ata.roundLog.path", "");

    assertThat(AtaConf.of(conf).width()).isEmpty();
    assertThat(AtaConf.of(conf).roundLogPath()).isEmpty();
  }

  @Test
  void newPolicy_otherId_isMadeWithTheConfiguredSeed() {
    AllocationPolicy one = AtaConf.of(with("policy.seed", "5")).newPolicy("uniform");
    AllocationPolicy same = AtaConf.of(with("policy.seed", "5")).newPolicy("uniform");
    AllocationPolicy other = AtaConf.of(with("policy.seed", "6")).newPolicy("uniform");

    assertThat(one.id()).isEqualTo("uniform");
    List<String> workers = List.of("a", "b", "c", "d");
    boolean isEverDifferent = false;
    for (int round = 0; round < 30; round++) {
      int[] counts = one.allocate(workers, 6);
      assertThat(same.allocate(workers, 6)).isEqualTo(counts);
      isEverDifferent |= !Arrays.equals(other.allocate(workers, 6), counts);
    }
    assertThat(isEverDifferent).isTrue();
  }

  @Test
  void of_policyByClassName_isMadeOfThatClass() {
    AtaConf conf = AtaConf.of(with("policy", ScatterPolicy.class.getName()));

    assertThat(conf.newPolicy(conf.policy())).isInstanceOf(ScatterPolicy.class);
  }

  @Test
  void entries_always_areDistinctCamelCaseKeysWithRuleAndDoc() {
    assertThat(AtaConf.entries()).extracting(ConfEntry::key).doesNotHaveDuplicates().hasSize(8);
    assertThat(AtaConf.entries())
        .allSatisfy(
            entry -> {
              assertThat(entry.key()).matches("spark\\.ata(\\.[a-z][a-zA-Z]*)+");
              assertThat(entry.rule()).isNotBlank();
              assertThat(entry.doc()).endsWith(".");
            });
  }

  @Test
  void optionalIn_nothingSet_isTheDefaultOrNothing() {
    for (ConfEntry<?> entry : AtaConf.entries()) {
      assertThat(entry.optionalIn(new SparkConf(false)).isPresent())
          .as(entry.key())
          .isEqualTo(!entry.defaultText().isEmpty());
    }
  }

  private static SparkConf with(String name, String text) {
    return new SparkConf(false).set("spark.ata." + name, text);
  }

  private static void assertInvalid(String name, String text, String rule) {
    assertThatThrownBy(() -> AtaConf.of(with(name, text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid spark.ata." + name + ": '" + text + "' (" + rule + ")");
  }
}
