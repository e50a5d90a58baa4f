package io.sparkata.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.allocation.Prior;
import io.sparkata.testing.ScatterPolicy;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AtaConfTest {

  private static final String IDS =
      "one of adaptive, ata, ata-empirical, optimal-fixed, proportional, proportional-control,"
          + " self-adaptive, static, uniform, or a class name";
  private static final String ROUTE_RULE =
      "one or more of gradientDescent, lbfgs with commas between, or none";
  private static final String MEANS_RULE =
      "executor=number pairs with commas between them, every executor once, every number greater"
          + " than 0, such as 0=1,1=2.5";

  @Test
  void of_nothingSet_isTheDefaults() {
    AtaConf conf = AtaConf.of(new SparkConf(false));

    assertThat(conf)
        .isEqualTo(
            new AtaConf(
                Mode.TRAIN,
                ReportLevel.WARN,
                EnumSet.allOf(Route.class),
                "adaptive",
                /* isGreedyAcknowledged= */ false,
                PolicySettings.defaults(),
                PassThrough.AUTO,
                OnError.FALLBACK,
                GpuUse.AUTO,
                4L << 20,
                Execution.AUTO,
                Optional.empty(),
                Optional.empty(),
                CacheUse.BALANCE,
                /* hasUi= */ true,
                Thread.currentThread().getContextClassLoader()));
    assertThat(AtaKeys.ENABLED.in(new SparkConf(false))).isFalse();
  }

  @Test
  void of_everyKeySet_isWhatWasSet() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.ata.enabled", "true")
            .set("spark.ata.mode", "observe")
            .set("spark.ata.report", "log")
            .set("spark.ata.route", "lbfgs")
            .set("spark.ata.policy", "uniform")
            .set("spark.ata.greedy.acknowledged", "true")
            .set("spark.ata.policy.seed", "-7")
            .set("spark.ata.policy.width", "0.25")
            .set("spark.ata.policy.alpha", "1e6")
            .set("spark.ata.policy.eta", "1.5")
            .set("spark.ata.policy.means", "0=1, 1 = 2.5")
            .set("spark.ata.passThrough", "never")
            .set("spark.ata.onError", "fail")
            .set("spark.ata.gpu", "required")
            .set("spark.ata.blockSize", "64k")
            .set("spark.ata.execution", "resident")
            .set("spark.ata.speeds.path", "/speeds.json")
            .set("spark.ata.roundLog.path", "/logs")
            .set("spark.ata.cache", "observe")
            .set("spark.ata.ui.enabled", "false");

    assertThat(AtaConf.of(conf))
        .isEqualTo(
            new AtaConf(
                Mode.OBSERVE,
                ReportLevel.LOG,
                Set.of(Route.LBFGS),
                "uniform",
                /* isGreedyAcknowledged= */ true,
                new PolicySettings(
                    -7,
                    OptionalDouble.of(0.25),
                    OptionalDouble.of(1e6),
                    OptionalDouble.of(1.5),
                    Map.of("0", new Prior(1, 1), "1", new Prior(2.5, 1))),
                PassThrough.NEVER,
                OnError.FAIL,
                GpuUse.REQUIRED,
                64L << 10,
                Execution.RESIDENT,
                Optional.of("/speeds.json"),
                Optional.of("/logs"),
                CacheUse.OBSERVE,
                /* hasUi= */ false,
                Thread.currentThread().getContextClassLoader()));
    assertThat(AtaKeys.ENABLED.in(conf)).isTrue();
  }

  @Test
  void of_route_takesAListInAnyOrderOrNone() {
    assertThat(AtaConf.of(with("route", "lbfgs, gradientDescent")).routes())
        .containsExactly(Route.GRADIENT_DESCENT, Route.LBFGS);
    assertThat(AtaConf.of(with("route", "gradientDescent")).routes())
        .containsExactly(Route.GRADIENT_DESCENT);
    assertThat(AtaConf.of(with("route", "none")).routes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "true", "false", "LBFGS", "gradient_descent", "lbfgs,", "none,lbfgs", "owlqn"})
  void of_badRoute_throwsWithWhatIsAllowed(String text) {
    assertInvalid("route", text, ROUTE_RULE);
  }

  @ParameterizedTest
  @CsvSource({"4k, 4096", "512m, 536870912", "4M, 4194304", "5000, 5000"})
  void of_blockSize_takesSparksSizes(String text, long bytes) {
    assertThat(AtaConf.of(with("blockSize", text)).blockBytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4095", "513m", "4 parsecs", "-4m", "", "99999999999t"})
  void of_badBlockSize_throwsWithTheRule(String text) {
    assertInvalid("blockSize", text, "a size from 4k to 512m, such as 4m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo", "Adaptive", ""})
  void of_unknownPolicy_throwsWithTheIds(String text) {
    assertInvalid("policy", text, IDS);
  }

  @Test
  void of_policyClassThatIsMissing_throwsThatItIsNotOnTheClassPath() {
    assertInvalid(
        "policy",
        "my.NoSuchClass",
        "this class is not on the class path. Set spark.jars=<its jar>");
  }

  @Test
  void of_greedyNotAcknowledged_throwsWhyAndWhatToSet() {
    SparkConf conf = greedy().remove("spark.ata.greedy.acknowledged");

    assertThatThrownBy(() -> AtaConf.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use the policy 'greedy': it drops the work of slow executors and sums other"
                + " rows than MLlib's sample, so the model is not Spark's. Set"
                + " spark.ata.greedy.acknowledged=true to accept that, or another"
                + " spark.ata.policy");
  }

  private static SparkConf greedy() {
    return new SparkConf(false)
        .set("spark.master", "local-cluster[3,1,1024]")
        .set("spark.ata.policy", "greedy")
        .set("spark.ata.greedy.acknowledged", "true")
        .set("spark.ata.execution", "resident");
  }

  @Test
  void of_greedyByJobs_throwsWhatToSet() {
    assertThatThrownBy(() -> AtaConf.of(greedy().set("spark.ata.execution", "stage")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use the policy 'greedy': its executors ask for work by message, and"
                + " spark.ata.execution=stage. Set spark.ata.execution=resident");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "local[2]", "local[*, 3]"})
  void of_greedyOnALocalMaster_throwsWhatToSet(String master) {
    assertThatThrownBy(() -> AtaConf.of(greedy().set("spark.master", master)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use the policy 'greedy': it needs executors, and the master is "
                + master
                + ". Set spark.master=<a cluster>");
  }

  @Test
  void ofSums_greedy_allocates() {
    assertThat(AtaConf.of(greedy()).policy()).isEqualTo("greedy");
    assertThat(AtaConf.ofSums(greedy()).policy()).isEqualTo("adaptive");
    assertThat(AtaConf.ofSums(with("policy", "ata")).policy()).isEqualTo("ata");
    AtaConf.checkPolicy("greedy"); // of an optimizer: the rest is checked when it trains
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
  void of_badNumber_throwsWithTheRule(String text) {
    assertInvalid("policy.width", text, "a number greater than 0");
    assertInvalid("policy.alpha", text, "a number greater than 0");
    assertInvalid("policy.eta", text, "a number greater than 0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "=1", " =1", "0=", "0=0", "0=-1", "0=NaN", "0=1,", "0=1,0=2", "0=1=2"})
  void of_badMeans_throwsWithTheRule(String text) {
    assertInvalid("policy.means", text, MEANS_RULE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"optimal-fixed", "static"})
  void of_policyWithoutItsMeans_throwsWithTheKey(String policy) {
    assertThatThrownBy(() -> AtaConf.of(with("policy", policy)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(lacksMeans(policy));
  }

  @Test
  void newPolicy_withoutItsMeans_throwsWithTheKey() {
    AtaConf conf = AtaConf.of(new SparkConf(false));

    AtaConf.checkPolicy("static");
    assertThatThrownBy(() -> conf.newPolicy("static", Map.of(), /* rowsPerUnit= */ 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(lacksMeans("static"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"optimal-fixed", "static"})
  void newPolicy_meansSet_allocatesByThem(String policy) {
    AtaConf conf = AtaConf.of(with("policy", policy).set("spark.ata.policy.means", "0=1,1=3"));

    AllocationPolicy made = conf.newPolicy(conf.policy(), Map.of(), /* rowsPerUnit= */ 1);

    assertThat(made.allocate(List.of("1", "0"), 128)).containsExactly(32, 96);
  }

  @Test
  void newPolicy_thatLearns_ignoresTheMeans() {
    AtaConf conf = AtaConf.of(with("policy", "ata").set("spark.ata.policy.means", "0=1,1=3"));

    assertThat(conf.newPolicy("ata", Map.of(), /* rowsPerUnit= */ 1).meanTime("0")).isNaN();
  }

  @Test
  void newPolicy_alphaAndEtaSet_handsThemOver() {
    AtaConf conf = AtaConf.of(with("policy.alpha", "1e-9").set("spark.ata.policy.eta", "1e-9"));

    for (String id : List.of("ata", "ata-empirical")) {
      AllocationPolicy policy = conf.newPolicy(id, Map.of(), /* rowsPerUnit= */ 1);
      policy.observe("a", 1, 1);
      policy.observe("b", 1, 4);
      assertThat(policy.allocate(List.of("a", "b"), 100)).as(id).containsExactly(80, 20);
    }
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
  @ValueSource(strings = {"REQUIRED", "on", "none", ""})
  void of_badGpu_throwsWithTheRule(String text) {
    assertInvalid("gpu", text, "auto, required or off");
  }

  /** Executors read these; the driver refuses what they could not use. */
  @Test
  void of_invalidGpuSettings_areRefusedOnTheDriver() {
    assertInvalid("gpu.precision", "half", "double or single");
    assertInvalid("gpu.memoryFraction", "1.1", "a number greater than 0 and at most 1");
    assertInvalid("gpu.memoryFraction", "0", "a number greater than 0 and at most 1");
  }

  @Test
  void passesThroughAndFailsOnTrouble_gpuRequired_keepMllibAway() {
    AtaConf defaults = AtaConf.of(new SparkConf(false));
    AtaConf required = AtaConf.of(with("gpu", "required"));

    assertThat(defaults.passesThrough()).isTrue();
    assertThat(defaults.failsOnTrouble()).isFalse();
    assertThat(AtaConf.of(with("passThrough", "never")).passesThrough()).isFalse();
    assertThat(AtaConf.of(with("onError", "fail")).failsOnTrouble()).isTrue();
    assertThat(required.passesThrough()).isFalse();
    assertThat(required.failsOnTrouble()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRUE", "1", "yes", ""})
  void enabled_neitherTrueNorFalse_throwsWithTheRule(String text) {
    assertThatThrownBy(() -> AtaKeys.ENABLED.in(with("enabled", text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid spark.ata.enabled: '" + text + "' (true or false)");
  }

  @Test
  void of_keysSetToNothingThatHaveNoDefault_areUnset() {
    SparkConf conf = with("policy.width", "").set("spark.ata.roundLog.path", "");
    for (String name : List.of("alpha", "eta", "means")) {
      conf.set("spark.ata.policy." + name, "");
    }

    assertThat(AtaConf.of(conf).settings()).isEqualTo(PolicySettings.defaults());
    assertThat(AtaConf.of(conf).roundLogPath()).isEmpty();
  }

  @Test
  void newPolicy_onAThreadWithoutTheClass_takesTheLoaderOfTheStart() throws Exception {
    AtaConf conf = AtaConf.of(with("policy", ScatterPolicy.class.getName()));
    AtomicReference<AllocationPolicy> made = new AtomicReference<>();
    Thread thread =
        new Thread(() -> made.set(conf.newPolicy(conf.policy(), Map.of(), /* rowsPerUnit= */ 1)));
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    thread.start();
    thread.join();

    assertThat(made.get()).isInstanceOf(ScatterPolicy.class);
  }

  @Test
  void newPolicy_otherId_isMadeWithTheConfiguredSeed() {
    AllocationPolicy one =
        AtaConf.of(with("policy.seed", "5")).newPolicy("uniform", Map.of(), /* rowsPerUnit= */ 1);
    AllocationPolicy same =
        AtaConf.of(with("policy.seed", "5")).newPolicy("uniform", Map.of(), /* rowsPerUnit= */ 1);
    AllocationPolicy other =
        AtaConf.of(with("policy.seed", "6")).newPolicy("uniform", Map.of(), /* rowsPerUnit= */ 1);

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

    assertThat(conf.newPolicy(conf.policy(), Map.of(), /* rowsPerUnit= */ 1))
        .isInstanceOf(ScatterPolicy.class);
  }

  @Test
  void entries_always_areDistinctCamelCaseKeysWithRuleAndDoc() {
    assertThat(AtaKeys.entries()).extracting(ConfEntry::key).doesNotHaveDuplicates().hasSize(22);
    assertThat(AtaKeys.entries())
        .allSatisfy(
            entry -> {
              assertThat(entry.key()).matches("spark\\.ata(\\.[a-z][a-zA-Z]*)+");
              assertThat(entry.rule()).isNotBlank();
              assertThat(entry.doc()).endsWith(".");
            });
  }

  @Test
  void optionalIn_nothingSet_isTheDefaultOrNothing() {
    for (ConfEntry<?> entry : AtaKeys.entries()) {
      assertThat(entry.optionalIn(new SparkConf(false)).isPresent())
          .as(entry.key())
          .isEqualTo(!entry.defaultText().isEmpty());
    }
  }

  private static String lacksMeans(String policy) {
    return "Cannot use the policy '"
        + policy
        + "': it needs the time per sample of every executor. Set spark.ata.policy.means to "
        + MEANS_RULE;
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
