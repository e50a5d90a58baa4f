package io.sparkata.lab.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The messages of scripts/check-gpu before it builds anything, and of a pack's run before it starts
 * Java.
 */
class CheckGpuScriptTest {
  private static final Path SCRIPTS = Path.of("..", "..", "scripts").toAbsolutePath().normalize();
  private static final Path SCRIPT = SCRIPTS.resolve("check-gpu");

  @TempDir private Path folder;

  private record Run(int status, String text) {}

  @Test
  void help_saysWhatIsPackedAndWhatRunsThere() throws Exception {
    Run run = run(SCRIPT, "--help");
    assertThat(run.text)
        .startsWith("Usage: scripts/check-gpu --pack DIR")
        .contains("parts of at most 48 MiB", "DIR/run kernels", "DIR/run job");
    assertThat(run.status).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --json             | Invalid argument: --json (--pack or --help)
          --pack             | Invalid option: --pack (its value is missing)
          --pack=            | Invalid command line: no --pack (--pack DIR is needed)
          --pack here there  | Invalid argument: there (--pack or --help)
          --pack pom.xml     | Invalid --pack: pom.xml is a file (name a folder)
          --pack=src         | Invalid --pack: src contains other files (name a new or empty folder, or an earlier pack)
          """)
  void pack_withBadArguments_saysWhatIsAllowed(String arguments, String message) throws Exception {
    assertUsageError(run(SCRIPT, arguments.split(" ")), message, SCRIPT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''               | Invalid command: none (kernels or job)
          test             | Invalid command: test (kernels or job)
          kernels --fast   | Invalid option: --fast (--quick or --help)
          job --quick now  | Invalid option: now (--quick or --help)
          """)
  void run_withBadArguments_saysWhatIsAllowed(String arguments, String message) throws Exception {
    Path script = pack();
    String[] words = arguments.isEmpty() ? new String[0] : arguments.split(" ");
    assertUsageError(run(script, words), message, script);
    assertThat(folder.resolve("unpacked")).doesNotExist();
  }

  @Test
  void run_help_needsNoParts() throws Exception {
    Run run = run(pack(), "--help");
    assertThat(run.text).startsWith("Usage: run kernels [--quick] | job [--quick]");
    assertThat(run.status).isZero();
  }

  @Test
  void run_partsAreMissing_namesTheFirst() throws Exception {
    Path script = pack();
    assertFailure(run(script, "kernels"), "Cannot find " + folder + "/contents: copy it from");
    Files.writeString(
        folder.resolve("contents"), "PACK=1\nKERNELS_PARTS='kernels-00 kernels-01'\n");
    Files.writeString(folder.resolve("kernels-00"), "not an archive");
    assertFailure(run(script, "kernels"), "Cannot find " + folder + "/kernels-01: copy it from");
  }

  @Test
  void run_partsAreDamaged_saysWhatToCopyAgain() throws Exception {
    Path script = pack();
    Files.writeString(folder.resolve("contents"), "PACK=1\nKERNELS_PARTS='kernels-00'\n");
    Files.writeString(folder.resolve("kernels-00"), "not an archive");
    Run run = run(script, "kernels");
    assertThat(run.text)
        .startsWith("Unpacking kernels into " + folder + "/unpacked ...\n")
        .endsWith(
            "Cannot unpack kernels: see above. Copy its parts from the pack again: kernels-00\n");
    assertThat(run.status).isEqualTo(1);
  }

  /** As in a pack: the launcher, by its name there. */
  private Path pack() throws IOException {
    return Files.copy(SCRIPTS.resolve("check-gpu-run"), folder.resolve("run"));
  }

  private static void assertUsageError(Run run, String message, Path script) {
    assertThat(run.text).isEqualTo(message + "\nSee: " + script + " --help\n");
    assertThat(run.status).isEqualTo(2);
  }

  private static void assertFailure(Run run, String message) {
    assertThat(run.text).startsWith(message);
    assertThat(run.status).isEqualTo(1);
  }

  private static Run run(Path script, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Run(process.exitValue(), text);
  }
}
