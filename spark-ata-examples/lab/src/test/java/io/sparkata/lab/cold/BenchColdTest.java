package io.sparkata.lab.cold;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.lab.AtaRun;
import io.sparkata.lab.cluster.FakeProject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchColdTest {
  /** The n-th turn takes n seconds. */
  private static final String TURN =
      """
      for a in "$@"; do
        case $a in --side=*) side=${a#*=} ;; --out=*) out=${a#*=} ;; esac
      done
      n=$(grep -c ^submit "$root/calls")
      echo '{"side":"'$side'","callSeconds":'$n',"ends":[1,2,3,4],"routed":0,"model":[1],"shares":[]}' >$out
      """;

  @TempDir private Path root;
  private FakeProject project;

  @BeforeEach
  void start() throws IOException {
    project = new FakeProject(root).on("submit", TURN);
  }

  @AfterEach
  void end() {
    project.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x | Invalid work: x (one of flights, flights-sgd, logistic-dense, linear-svc, own-gradient)",
        "flights --rows=1 | Invalid --rows: 1 (a whole number from 1000 to 2500000)",
        "flights --iterations=3 | Invalid --iterations: 3 (a whole number from 4 to 9999)",
        "flights --repetitions=0 | Invalid --repetitions: 0 (a whole number from 1 to 99)"
      })
  void run_badArguments_areRefusedBeforeAnythingStarts(String arguments, String message)
      throws IOException {
    AtaRun run = AtaRun.of(("bench-cold " + arguments).split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith(message);
    assertThat(project.calls()).isEmpty();
  }

  /** Sides begin in turn: spark has turns 1, 5 and 9, with partitions 2, 6 and 7, ours 3, 4, 8. */
  @Test
  void run_threeRepetitions_writesMediansOfTurns() throws IOException {
    AtaRun run = AtaRun.of("bench-cold", "own-gradient", "--speeds=2,1");

    assertThat(run.status()).as(run.err()).isZero();
    JsonNode json =
        new ObjectMapper()
            .readTree(root.resolve("target/bench/cold/own-gradient-2-1.json").toFile());
    assertThat(json.get("sides").findValuesAsText("side"))
        .isEqualTo(List.of("spark", "spark-partitioned", "spark-ata"));
    assertThat(json.get("sides").findValuesAsText("medianCallSeconds"))
        .isEqualTo(List.of("5.0", "6.0", "4.0"));
    assertThat(run.out())
        .contains("Spark as it comes                   5.0 s     1.000 s per iteration");
  }
}
