package io.sparkata.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.lab.AtaRun;
import io.sparkata.testing.FailingPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulateTest {

  private static final String[] SETTING = {
    "policy", "law", "scenario", "workers", "budget", "rounds", "seed", "via"
  };

  @TempDir private Path folder;

  private String out = "";
  private String err = "";

  @Test
  void simulate_json_isOneObjectWithAllClocks() throws IOException {
    JsonNode json =
        json("--policy ata --law linear --workers 17 --budget 23 --rounds 300 --seed 5");

    assertThat(json.fieldNames()).toIterable().startsWith(SETTING);
    assertThat(json.get("policy").asText()).isEqualTo("ata");
    assertThat(json.get("workers").asInt()).isEqualTo(17);
    assertThat(json.get("rounds").asInt()).isEqualTo(300);
    assertThat(json.get("via").asText()).isEqualTo("bare");
    double fixed = json.get("optimalFixedRuntime").asDouble();
    assertThat(json.get("greedyRuntime").asDouble()).isBetween(0.5 * fixed, 0.8 * fixed);
    assertThat(json.get("optimumRuntime").asDouble()).isBetween(0.87 * fixed, 0.97 * fixed);
    assertThat(json.get("runtime").asDouble()).isGreaterThan(1.2 * fixed);
    assertThat(json.get("regret").asDouble()).isPositive();
    for (String clock : List.of("w", "greedyW", "optimalFixedW", "optimumW")) {
      assertThat(json.get(clock + "orkerTime").asDouble()).isPositive();
    }
    assertThat(json.has("oracleRuntime")).isFalse();
    assertThat(err).isEmpty();
  }

  @Test
  void simulate_sameSeed_isTheSame() throws IOException {
    String arguments = "--policy adaptive --law sqrt --rounds 50 --seed ";

    JsonNode once = json(arguments + 5);

    assertThat(json(arguments + 5)).isEqualTo(once);
    assertThat(json(arguments + 6).get("runtime")).isNotEqualTo(once.get("runtime"));
  }

  @Test
  void simulate_greedy_isItsOwnBaseline() throws IOException {
    JsonNode json = json("--policy greedy --rounds 50");

    assertThat(json.get("runtime")).isEqualTo(json.get("greedyRuntime"));
    assertThat(json.has("regret")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"oracle", "optimum", "explore-then-optimum", "uniform"})
  void simulate_otherPolicy_runs(String policy) throws IOException {
    assertThat(json("--rounds 10 --policy " + policy).get("runtime").asDouble()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"step", "ramp", "throttle", "join", "leave"})
  void simulate_scenario_isComparedWithTheOracle(String scenario) throws IOException {
    JsonNode json = json("--law cluster --rounds 90 --scenario " + scenario);

    assertThat(json.get("scenario").asText()).isEqualTo(scenario);
    assertThat(json.get("workers").asInt()).isEqualTo(scenario.equals("join") ? 5 : 4);
    assertThat(json.get("budget").asInt()).isEqualTo(256);
    assertThat(json.get("via").asText()).isEqualTo(scenario.equals("join") ? "scheduler" : "bare");
    assertThat(json.get("runtime").asDouble()).isGreaterThan(json.get("oracleRuntime").asDouble());
    assertThat(json.has("optimumRuntime")).isFalse();
  }

  @Test
  void simulate_trace_replaysItAndStatesWhatItTook() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("log.jsonl"),
            """
            {"budget":64,"workers":[{"id":"0","slots":1,"samples":100,"kernelNanos":1000},\
            {"id":"1","slots":2,"samples":100,"kernelNanos":8000}]}
            {"budget":64,"workers":[{"id":"0","slots":1,"samples":160,"kernelNanos":1600},\
            {"id":"1","slots":2,"samples":40,"kernelNanos":3200}]}
            """);

    JsonNode json = json("--policy uniform --trace " + log);

    assertThat(json.get("law").asText()).isEqualTo("trace");
    assertThat(json.get("rounds").asInt()).isEqualTo(2);
    assertThat(json.get("budget").asInt()).isEqualTo(64);
    assertThat(json.get("recordedRuntime").asDouble()).isEqualTo(4000 + 1600);
    // 10 and 40 ns per sample, 200 samples per round.
    assertThat(json.get("runtime").asDouble()).isCloseTo(2 * 100 * 40, within(1e-6));
    assertThat(json.get("oracleRuntime").asDouble()).isLessThan(1.03 * 2 * 200 / (0.1 + 0.025));
  }

  @Test
  void simulate_text_isATable() {
    assertThat(run("--policy uniform --rounds 10 --seed 3")).isZero();

    assertThat(out)
        .startsWith("policy uniform, law linear, scenario none, workers 51, budget 23, rounds 10,")
        .containsSubsequence("runtime", "/ greedy", "policy", "greedy", "optimalFixed", "optimum");
  }

  @Test
  void simulate_censoringFixedCostsAndSettings_areHeeded() throws IOException {
    JsonNode plain = json("--rounds 60 --law sqrt");

    assertThat(json("--rounds 60 --law sqrt --fixed-cost 7").get("optimalFixedRuntime").asDouble())
        .isCloseTo(plain.get("optimalFixedRuntime").asDouble() + 60 * 7, within(1e-6));
    assertThat(json("--rounds 60 --law sqrt --censor 0.5").get("runtime"))
        .isNotEqualTo(plain.get("runtime"));
    assertThat(json("--rounds 60 --via scheduler").get("via").asText()).isEqualTo("scheduler");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--policy nope|Invalid --policy: nope (one of ",
        "--law nope|Invalid law: 'nope' (one of sqrt, linear,",
        "--workers 0|Invalid workers: 0 (at least 1)",
        "--budget 0|Invalid budget: 0 (at least 1 unit)",
        "--rounds 0|Invalid rounds: 0 (at least 1)",
        "--scenario leave --workers 1|Invalid scenario: nobody is left in round 333",
        "--scenario all|Invalid --scenario: all (one of none, step,",
        "--speeds 2,1|Invalid --speeds: [2.0, 1.0] (only with --law cluster)",
        "--law cluster --workers 2|Invalid --workers: 2 (not with --law cluster; see --speeds)",
        "--law cluster --variation -1|Invalid variation: -1.0 (at least 0 and finite)",
        "--fixed-cost -1|Invalid fixed cost: -1.0 (at least 0 and finite)",
        "--censor 2|Invalid probability of censoring: 2.0 (from 0 to 1)",
        "--policy optimum --law pareto-2|Invalid --policy: optimum (not with --law pareto-2",
        "--trace none.jsonl|Cannot read --trace: java.nio.file.NoSuchFileException: none.jsonl",
        "--trace none.jsonl --law log|Invalid --trace: none.jsonl (not with --law or --workers)"
      })
  void simulate_badArguments_exitWithTwoAndSayWhatToType(String arguments, String message) {
    assertThat(run(arguments.trim())).isEqualTo(2);

    assertThat(err)
        .startsWith(message)
        .endsWith("See: scripts/ata simulate --help" + System.lineSeparator());
    assertThat(out).isEmpty();
  }

  @Test
  void simulate_policyThatBreaks_exitsWithOne() {
    assertThat(run("--policy " + FailingPolicy.class.getName())).isEqualTo(1);

    assertThat(err).isEqualToIgnoringNewLines("the policy breaks on purpose");
  }

  private JsonNode json(String arguments) throws IOException {
    assertThat(run(arguments + " --json")).as(err).isZero();
    assertThat(out.lines()).hasSize(1);
    return new ObjectMapper().readTree(out);
  }

  private int run(String arguments) {
    AtaRun run = AtaRun.of(("simulate " + arguments).split(" ", -1));
    out = run.out();
    err = run.err();
    return run.status();
  }
}
