package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts as users see them: what they say before they build or start anything. */
class ScriptsTest {
  private static final Path FOLDER = Path.of("..", "..", "scripts");

  @TempDir private Path folder;

  private record Run(int status, String text) {}

  /** lib.sh compiles the package without any jar, before Maven has built one. */
  @Test
  void package_compiledByItself_needsTheJdkOnly() throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-cp", "", "-d", "" + folder));
    try (Stream<Path> sources = Files.list(Path.of("src/main/java/io/sparkata/lab/scripts"))) {
      sources.map(Path::toString).forEach(arguments::add);
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, said, said, arguments.toArray(String[]::new));
    assertThat(status).as(said.toString(StandardCharsets.UTF_8)).isZero();
  }

  @Test
  void json_pairs_areOneObject() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, /* autoFlush= */ true, StandardCharsets.UTF_8);
    int status =
        Scripts.run(List.of("package", "json", "scala", "2.13", "cuda", "a b"), print, print);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("{\"scala\":\"2.13\",\"cuda\":\"a b\"}\n");
    assertThat(status).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          submit --class Main       | 2 | Invalid command line: no application (APP.jar or APP.py, after the options)
          submit --class            | 2 | Invalid option: --class (its value is missing)
          submit /nowhere/app.jar   | 1 | Cannot run /nowhere/app.jar: there is no such file.
          cluster start --cores x   | 2 | Invalid --cores: x (a whole number from 1)
          cluster start --speeds 0  | 2 | Invalid --speeds: 0 (positive numbers with commas between, 200 at most, e.g. 8,4,2,1)
          cluster start --dir src   | 1 | Cannot use SRC: it holds other files. Set --dir=<an empty or new folder>.
          cluster lift --dir src    | 1 | Cannot lift: no cluster runs in SRC. Start one: scripts/cluster start --dir SRC
          cluster restart           | 2 | Invalid action: restart (start, stop, status, throttle, lift or hold)
          test --some               | 2 | Invalid option: --some (--ci, --all, --json or --help)
          test spark-1              | 2 | Invalid profile: spark-1 (one of spark-3.5 spark-4.0 spark-4.1 spark-4.2 spark-3.5-scala-2.12)
          package --scala 2.11      | 2 | Invalid --scala: 2.11 (2.12 or 2.13)
          package --scala           | 2 | Invalid --scala: nothing (a value is needed)
          """)
  void script_badArguments_saysWhatIsAllowedBeforeItBuilds(String line, int status, String message)
      throws Exception {
    Run run = run(line.split(" ", -1));
    String script = FOLDER.resolve(line.split(" ", -1)[0]).toString();
    String src = Path.of("src").toAbsolutePath().normalize().toString();
    String see = status == 2 ? "See: " + script + " --help\n" : "";
    assertThat(run.text).isEqualTo(message.replace("SRC", src) + "\n" + see);
    assertThat(run.status).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({"submit", "cluster", "test", "package"})
  void script_help_printsTheUsage(String script) throws Exception {
    Run run = run(script, "--help");
    assertThat(run.text).startsWith("Usage: scripts/" + script + " ");
    assertThat(run.status).isZero();
  }

  private static Run run(String... line) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(line));
    command.set(0, FOLDER.resolve(line[0]).toString());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.matches("(SPARK|ATA|JDK)_.*"));
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return new Run(process.exitValue(), text);
  }
}
