package io.sparkata.lab.scripts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts as users see them: what they say before they build or start anything. */
class ScriptsTest {
  private static final Path FOLDER = Path.of("..", "..", "scripts");
  private static final String VERSION = "</artifactId>\\s*<version>([^<]+)</version>";

  @TempDir private Path root;

  private record Run(int status, String text) {}

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cluster begin             | 2 | Invalid command: begin (start, stop, status, throttle, lift or hold)
          cluster start --sped 4,1  | 2 | Invalid option: --sped (unknown)
          test --some               | 2 | Invalid option: --some (--ci, --all, --long, --json or --help)
          test --long all           | 2 | Invalid --long: all (chaos, chaos-yarn, soak, simulation or fuzz)
          test --long               | 2 | Invalid --long: nothing (a value is needed)
          test --long chaos --times 0 | 2 | Invalid --times: 0 (a positive number)
          test --long chaos --seed -1 | 2 | Invalid --seed: -1 (a number, 0 or more)
          test --long chaos --plan x  | 2 | Invalid --plan: x (no such file)
          test --long chaos --plan pom.xml | 2 | Invalid --plan: pom.xml (lines such as FITS KILL@1329#7 DROP@20#8)
          test --long chaos-yarn spark-4.1 | 2 | Invalid profile: spark-4.1 (Maven has its Spark without YARN)
          test --long soak --all    | 2 | Invalid option: --all (not with --long)
          test --long soak --plan pom.xml  | 2 | Invalid --plan: pom.xml (lines such as FITS KILL@1329#7 DROP@20#8)
          test --seed 4             | 2 | Invalid option: --times, --seed or --plan (with --long only)
          test spark-1              | 2 | Invalid profile: spark-1 (one of spark-3.5 spark-4.0 spark-4.1 spark-4.2 spark-3.5-scala-2.12)
          package --scala 2.11      | 2 | Invalid --scala: 2.11 (2.12 or 2.13)
          package --scala           | 2 | Invalid --scala: nothing (a value is needed)
          check-gpu --json          | 2 | Invalid argument: --json (--pack or --help)
          check-gpu --pack=         | 2 | Invalid command line: no --pack (--pack DIR is needed)
          check-gpu --pack pom.xml  | 2 | Invalid --pack: pom.xml is a file (name a folder)
          check-gpu --pack=src      | 2 | Invalid --pack: src contains other files (name a new or empty folder, or an earlier pack)
          check-gpu-run             | 2 | Invalid command: none (kernels or job)
          check-gpu-run test        | 2 | Invalid command: test (kernels or job)
          check-gpu-run job --quick now | 2 | Invalid option: now (--quick or --help)
          """)
  void script_badArguments_saysWhatIsAllowedBeforeItBuilds(String line, int status, String message)
      throws Exception {
    Run run = run(Map.of(), (FOLDER + "/" + line.strip()).split(" ", -1));
    assertThat(run.text.lines()).first().isEqualTo(message);
    assertThat(run.text.lines().skip(1))
        .allMatch(see -> see.matches("See: \\S*scripts/" + line.split(" ", -1)[0] + " --help"))
        .hasSize(status - 1);
    assertThat(run.status).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({"submit", "cluster", "test", "package", "check-gpu", "check-gpu-run"})
  void script_help_printsTheUsage(String script) throws Exception {
    Run run = run(Map.of(), FOLDER + "/" + script, "--help");
    assertThat(run.text).matches("(?s)Usage: (scripts/" + script + "|run) .*");
    assertThat(run.status).isZero();
  }

  /** A pack's run without its parts, and with a damaged one. */
  @Test
  void run_ofAnIncompletePack_saysWhatToCopy() throws Exception {
    write("run", Files.readString(FOLDER.resolve("check-gpu-run")));
    String script = root.resolve("run").toString();
    assertThat(run(Map.of(), script, "job"))
        .isEqualTo(
            new Run(
                1,
                "Cannot find %1$s/contents: copy it from the pack into %1$s.\n".formatted(root)));
    write("contents", "PACK=1\nKERNELS_PARTS='kernels-00 kernels-01'\n");
    write("kernels-00", "not an archive");
    assertThat(run(Map.of(), script, "kernels").text)
        .startsWith("Cannot find " + root + "/kernels-01: ");
    write("kernels-01", "neither");
    Run damaged = run(Map.of(), script, "kernels");
    assertThat(damaged.text)
        .endsWith("see above. Copy its parts from the pack again: kernels-00 kernels-01\n");
    assertThat(damaged.status).isEqualTo(1);
    assertThat(root.resolve("unpacked")).doesNotExist();
  }

  /** lib.sh reads pom.xml by its lines, and knows the Scala of a profile by its name. */
  @Test
  void lib_factsOfThePom_areRight() throws Exception {
    String pom = Files.readString(FOLDER.resolveSibling("pom.xml"));
    String facts =
        "source '%s/lib.sh'; ata_version; echo; spark_jvm_options; ".formatted(FOLDER)
            + "for p in \"${ATA_PROFILES[@]}\"; do echo \"$p $(scala_of \"$p\")\"; done";
    List<String> expected = new ArrayList<>();
    expected.add(find(VERSION, pom).get(0));
    String options = find("(?s)<spark\\.jvm\\.opens>(.*?)</spark\\.jvm\\.opens>", pom).get(0);
    expected.addAll(List.of(options.strip().split("\\s+")));
    assertThat(run(Map.of(), "bash", "-c", facts).text.lines())
        .containsSubsequence(expected)
        .endsWith("spark-4.2 2.13", "spark-3.5-scala-2.12 2.12")
        .filteredOn(line -> line.startsWith("spark-"))
        .containsExactlyInAnyOrderElementsOf(scalaByProfile(pom));
  }

  private static List<String> scalaByProfile(String pom) {
    return find("(?s)<profile>(.*?)</profile>", pom).stream()
        .filter(profile -> profile.contains("<spark.version>"))
        .map(
            profile ->
                find("<id>(.*)</id>", profile).get(0)
                    + " "
                    + find("<scala.binary.version>(.*)</scala.binary.version>", profile).get(0))
        .toList();
  }

  private static List<String> find(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.results().map(found -> found.group(1)).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          5 | 0 | 0 | 0 | 0 | 5 passed, 0 failed
          5 | 1 | 2 | 1 | 1 | Cannot pass the tests: tests failed in spark-3.5.
          5 | 0 | 0 | 0 | 1 | Cannot pass the tests: mvn -Pspark-3.5 ended with status 1, see above.
          5 | 0 | 0 | 3 | 0 | Cannot pass the tests: 3 tests were skipped in spark-3.5.
          0 | 0 | 0 | 0 | 0 | Cannot pass the tests: no test ran in spark-3.5.
          """)
  void test_reportsOfMaven_areCountedAndJudged(
      int tests, int failures, int errors, int skipped, int status, String last) throws Exception {
    for (String name : List.of("test", "lib.sh")) {
      write("scripts/" + name, Files.readString(FOLDER.resolve(name)));
    }
    String pom = Files.readString(FOLDER.resolveSibling("pom.xml"));
    write("pom.xml", pom);
    String jar = "_2.13-" + find(VERSION, pom).get(0) + ".jar";
    write("spark-ata-examples/examples/target/scala-2.13/x", "");
    write("spark-ata-examples/lab/target/scala-2.13/x", "");
    write("spark-ata/allocation/target/scala-2.13/x", "");
    write("spark-ata/plugin/target/scala-2.13/spark-ata" + jar, "");
    write("spark-ata/cuda/target/scala-2.13/spark-ata-cuda" + jar, "");
    write(
        "report.xml",
        "<?xml version=\"1.0\"?>\n<testsuite xmlns:x=\"http://x\" name=\"x.A\" time=\"1,234.25\""
            + " tests=\"%d\" errors=\"%d\" skipped=\"%d\" failures=\"%d\">\n<testcase time=\"3\"/>"
                .formatted(tests, errors, skipped, failures));
    write(
        "bin/mvn",
        """
        reports=spark-ata/plugin/target/scala-2.13/surefire-reports
        mkdir -p $reports
        cp report.xml $reports/TEST-x.A.xml
        exit %d
        """
            .formatted(status));
    write("bin/g++", "");
    write("bin/python3", "");
    String path = root.resolve("bin") + ":" + System.getenv("PATH");
    Run run =
        run(
            Map.of("PATH", path, "MVN", root + "/bin/mvn"),
            root.resolve("scripts/test").toString());
    assertThat(run.text)
        .contains("\n  1234.2  x.A (spark-3.5)\nspark-3.5  ")
        .contains(
            " %d tests, %d failed, %d skipped, ".formatted(tests, failures + errors, skipped));
    assertThat(run.text.lines()).last().isEqualTo(last);
    assertThat(run.text.contains(" passed, "))
        .isEqualTo(!last.startsWith("Cannot") || failures > 0);
    assertThat(run.status).isEqualTo(last.startsWith("Cannot") ? 1 : 0);
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, name.startsWith("bin/") ? "#!/bin/sh\n" + text : text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static Run run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.matches("(SPARK|ATA|JDK)_.*"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return new Run(process.exitValue(), text);
  }
}
