package io.sparkata.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What scripts/bench says before it builds or starts anything. */
class BenchScriptTest {
  private static final Path SCRIPT = Path.of("..", "..", "scripts", "bench");

  private record Run(int status, String text) {}

  @Test
  void help_saysWhichCaseTakesWhichOptions() throws Exception {
    Run run = run("--help");
    assertThat(run.status).isZero();
    assertThat(run.text)
        .contains("All cases take --speeds, --out, --quick and --json;")
        .contains("  drift          --sides --sizes --layouts --fractions --iterations --seed\n")
        .contains("  overhead       --features --iterations --seed\n")
        .contains("  real-data      --sides --sets --data --iterations --repetitions\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          overhead --sides mllib  | Invalid option: --sides (overhead takes --speeds, --out, --quick, --json, --features,
          drift --repetitions=3   | Invalid option: --repetitions (drift takes --speeds,
          real-data --seed 2      | Invalid option: --seed (real-data takes --speeds,
          yarn --features 3       | Invalid option: --features (yarn takes --speeds,
          drift --colour red      | Invalid option: --colour (see --help)
          drift --sides           | Invalid option: --sides (unknown, or its value is missing)
          drift --speeds 1        | Invalid --speeds: 1 (two or more numbers, e.g. 8,4,2,1)
          nothing                 | Invalid case: nothing (one of heterogeneous drift overhead yarn speculation real-data)
          """)
  void run_withBadArguments_saysWhatIsAllowed(String arguments, String message) throws Exception {
    Run run = run(arguments.split(" ", -1));
    assertThat(run.text).startsWith(message).contains("See: ../../scripts/bench --help");
    assertThat(run.status).isEqualTo(2);
  }

  private static Run run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Run(process.exitValue(), text);
  }
}
