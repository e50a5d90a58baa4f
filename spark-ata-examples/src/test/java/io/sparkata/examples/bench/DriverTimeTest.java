package io.sparkata.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.examples.bench.DriverTime.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DriverTimeTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void measure_twoSizes_givesBothSituationsOfEach() {
    List<Result> results = DriverTime.measure(new int[] {3, 5}, List.of("uniform"), /* seed= */ 1);

    assertThat(results)
        .extracting(result -> result.policy() + " " + result.executors() + " " + result.situation())
        .containsExactly(
            "uniform 3 steady", "uniform 3 changing", "uniform 5 steady", "uniform 5 changing");
    assertThat(results)
        .allSatisfy(
            result -> {
              assertThat(result.observeMillis()).isPositive();
              assertThat(result.policyMillis()).isPositive();
              assertThat(result.placementMillis()).isPositive();
              assertThat(result.totalMillis()).isBetween(0.0, result.worstMillis());
            });
  }

  @Test
  void measure_noExecutors_throws() {
    assertThatThrownBy(() -> DriverTime.measure(new int[] {0}, List.of("uniform"), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid executors: 0 (at least 1)");
  }

  @Test
  void execute_json_printsTheResults() throws IOException {
    assertThat(execute("--executors", "2", "--policies", "uniform", "--json")).isZero();

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json).hasSize(2);
    assertThat(json.get(1).get("situation").asText()).isEqualTo("changing");
    assertThat(json.get(1).get("totalMillis").asDouble()).isPositive();
  }

  @Test
  void execute_table_hasALinePerResult() {
    assertThat(execute("--executors", "2", "--policies", "uniform")).isZero();

    assertThat(out.toString().lines()).hasSize(3);
  }

  @Test
  void execute_unknownPolicy_saysWhichThereAre() {
    assertThat(execute("--policies", "unifrom")).isEqualTo(CommandLine.ExitCode.USAGE);

    assertThat(err.toString()).contains("'unifrom'", "uniform");
  }

  private int execute(String... arguments) {
    return new CommandLine(new DriverTime())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
