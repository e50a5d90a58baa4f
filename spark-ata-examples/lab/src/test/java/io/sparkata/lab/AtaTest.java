package io.sparkata.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.cluster.FakeProject;
import io.sparkata.testing.FailingPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What all commands share, in a project whose scripts only note that they were started. */
class AtaTest {
  private static final int WIDEST_LINE = 110;

  @TempDir private Path root;
  @AutoClose private FakeProject fake;

  @BeforeEach
  void makeProject() throws IOException {
    fake = new FakeProject(root);
  }

  static List<String> commands() {
    return List.copyOf(Ata.commandLine().getSubcommands().keySet());
  }

  @Test
  void help_always_listsEachCommandOnOneLine() {
    AtaRun run = AtaRun.of("--help");

    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(
            run.out()
                .lines()
                .dropWhile(line -> !line.equals("Commands:"))
                .skip(1)
                .takeWhile(line -> !line.isEmpty())
                .map(line -> line.strip().split(" ", 2)[0]))
        .containsExactlyElementsOf(commands());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_ofACommand_showsItsUse(String command) throws IOException {
    AtaRun run = AtaRun.of(command, "--help");

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("Usage: scripts/ata " + command, "--help");
    assertThat(run.out().lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(WIDEST_LINE));
    assertThat(run.err()).isEmpty();
    assertThat(fake.calls()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void run_withAnUnknownOption_exitsWith2(String command) throws IOException {
    // Without its experiment, bench would miss that first.
    assertRefused(
        command.equals("bench")
            ? AtaRun.of(command, "drift", "--banana=3")
            : AtaRun.of(command, "--banana=3"),
        "Invalid option: --banana (unknown)",
        "See: scripts/ata " + command + " --help");
  }

  @Test
  void run_withoutACommand_exitsWith2() throws IOException {
    assertRefused(
        AtaRun.of(),
        "Invalid command line: empty (a command is needed)",
        "See: scripts/ata --help");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          simulate --scenario trees              | Invalid --scenario: trees (one of
          simulate drift                         | Invalid argument: drift (unknown)
          simulate --seed=2 --seed=3             | Invalid option: --seed (given more than once)
          simulate --seed                        | Invalid command line: the value of --seed is missing
          reproduce-paper --policy adaptive      | Invalid --policy: adaptive (it is built in;
          reproduce-paper --policy my.Class      | Invalid --policy: my.Class (this class is not on
          reproduce-paper --policy java.lang.String | Invalid --policy: java.lang.String (must implement
          reproduce-paper --classpath none.jar   | Invalid --classpath: none.jar (no such file or folder)
          reproduce-paper --rounds many          | Invalid --rounds: many (a whole number)
          reproduce-paper --rounds 199           | Invalid --rounds: 199 (a whole number from 200 to 100000000)
          simulate --json=yes                    | Invalid --json: yes (it takes no value)
          train-cnn                              | Invalid command line: --images is missing (it is needed)
          train-cnn --images x --updates 150     | Invalid --updates: 150 (a multiple of 100)
          simulate --censor often                | Invalid --censor: often (a number)
          bench nothing                          | Invalid experiment: nothing (one of heterogeneous, drift,
          bench drift --speeds 1                 | Invalid --speeds: 1 (two or more positive numbers,
          bench heterogeneous --sides mine       | Invalid --sides: mine (spark, spark-partitioned,
          bench drift --iterations 3             | Invalid --iterations: 3 (a whole number from 4 to
          bench yarn --repetitions 0             | Invalid --repetitions: 0 (a whole number from 1 to 99)
          bench yarn --works dense-huge          | Invalid --works: dense-huge (dense or sparse with -small,
          bench yarn --works dense-medium-0.1    | Invalid --works: dense-medium-0.1 (
          bench yarn --policy my.Policy          | Invalid --policy: my.Policy (this class is not on the
          bench yarn --classpath src             | Invalid --classpath:
          check-report --iterations 11           | Invalid --iterations: 11 (a whole number from 12 to 9999)
          check-report --turns 0                 | Invalid --turns: 0 (a whole number from 1 to 99)
          check-report --works perceptron        | Invalid --works: perceptron (dense or sparse with
          check-report --works kmeans            | Invalid --works: kmeans (a work that has rounds)
          check-report --speeds 4                | Invalid --speeds: 4 (two or more positive numbers,
          demo --rows=999                        | Invalid --rows: 999 (a whole number from 1000 to 2500000)
          demo --rows=2500001                    | Invalid --rows: 2500001 (a whole number from 1000 to
          demo --iterations=3                    | Invalid --iterations: 3 (a whole number from 4 to 9999)
          demo --speeds=8                        | Invalid --speeds: 8 (two or more positive numbers,
          demo --png=/dev/null/a.png             | Invalid --png: /dev/null/a.png (a file in a folder that
          conformance spark-3.5 spark-2.4        | Invalid profile: spark-2.4 (one of spark-3.5, spark-4.1,
          conformance --suite SVMSuite --suite X | Invalid suite: X (one of mllib.GradientDescentSuite,
          conformance --execution fast           | Invalid --execution: fast (one of stage, resident, auto)
          """)
  void run_withBadArguments_exitsWith2AndStartsNothing(String arguments, String message)
      throws IOException {
    assertRefused(
        AtaRun.of(arguments.strip().split(" ", -1)),
        message,
        "See: scripts/ata " + arguments.split(" ", 2)[0]);
  }

  @Test
  void run_unknownCommand_namesThoseThereAre() throws IOException {
    assertRefused(
        AtaRun.of("banana"),
        "Invalid command: banana (one of " + String.join(", ", commands()) + ")",
        "See: scripts/ata --help");
  }

  @Test
  void run_scriptFails_exitsWith1AfterOneLine() throws IOException {
    fake.on("ata---test-class-path", "exit 3");
    AtaRun run = AtaRun.of("jmh");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).isEqualToIgnoringNewLines("Cannot run ata: exit code 3, see above.");
    assertThat(fake.calls()).containsExactly("ata --test-class-path spark-ata-examples/lab");
  }

  @Test
  void run_unforeseenException_exitsWith1AfterItsProgress() {
    AtaRun run =
        AtaRun.of(
            "reproduce-paper",
            "--quick",
            "--rounds=200",
            "--out=" + root.resolve("paper"),
            "--policy=" + FailingPolicy.class.getName());

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .endsWith(
            "Cannot finish reproduce-paper: java.lang.IllegalStateException: the policy breaks on"
                + " purpose. Set ATA_DEBUG=1 to see where.\n");
  }

  private void assertRefused(AtaRun run, String message, String see) throws IOException {
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(2);
    assertThat(run.err()).startsWith(message).contains(see);
    assertThat(fake.calls()).isEmpty();
  }
}
