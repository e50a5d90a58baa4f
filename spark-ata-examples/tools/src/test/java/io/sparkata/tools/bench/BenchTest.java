package io.sparkata.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.tools.RunFailure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the benchmarks' program says before scripts/bench starts a cluster. */
class BenchTest {
  @TempDir private Path folder;

  private record Run(int status, String text) {}

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          heterogeneous --sides mine    | Invalid --sides: mine (mllib,
          heterogeneous --sides lbfgs   | Invalid --sides: lbfgs (another method: for real-data alone)
          drift --sides mllib-replicated --iterations 90 | Invalid --sides: mllib-replicated (for drift those with one
          drift --iterations 3          | Invalid --iterations: 3 (at least
          yarn --repetitions 0          | Invalid --repetitions: 0 (at least 1)
          yarn --sizes huge             | Invalid --sizes: huge (small, medium, large, large-mllib)
          yarn --layouts round          | Invalid --layouts: round (dense, sparse)
          yarn --fractions 2            | Invalid --fractions: 2.0 (above 0, at most 1)
          yarn --sizes medium           | Invalid --fractions: 0.1 (1.0 for medium rounds: more rows do not fit)
          real-data --fractions 0.5     | Invalid --fractions: 0.5 (1.0 for real-data)
          real-data --fractions 1 --sets cars | Invalid --sets: cars (flights, fashion-mnist)
          other                         | Invalid --case: other (heterogeneous,
          """)
  void check_ofBadArguments_saysWhatIsAllowed(String arguments, String message) {
    Run run = check(arguments.split(" ", -1));
    assertThat(run.text).startsWith(message);
    assertThat(run.status).isEqualTo(1);
  }

  @Test
  void check_withoutTheData_saysWhatFetchesThem() throws Exception {
    Run run = check("real-data", "--fractions", "1", "--data", folder.toString());
    assertThat(run.text)
        .startsWith("Cannot find " + folder.resolve("flights").resolve("flights-3m.parquet"))
        .contains("Fetch it: scripts/fetch-data, or set --data");
    assertThat(run.status).isEqualTo(1);
    Files.createDirectory(folder.resolve("fashion-mnist"));
    run =
        check("real-data", "--fractions", "1", "--data", folder.toString(), "--sets=fashion-mnist");
    assertThat(run).isEqualTo(new Run(0, ""));
  }

  @ParameterizedTest
  @CsvSource({"heterogeneous", "yarn", "overhead", "drift", "speculation"})
  void check_ofDefaults_findsNothing(String caseName) {
    assertThat(check(caseName, "--sides=mllib,adaptive")).isEqualTo(new Run(0, ""));
  }

  private Run check(String... caseAndOptions) {
    List<String> arguments = new ArrayList<>(List.of("--check", "--speeds=any", "--case"));
    arguments.addAll(List.of(caseAndOptions));
    arguments.add("--out=" + folder.resolve("results"));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(text, true, StandardCharsets.UTF_8));
    try {
      int status = RunFailure.execute(new Bench(), arguments.toArray(new String[0]));
      return new Run(status, text.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(before);
    }
  }
}
