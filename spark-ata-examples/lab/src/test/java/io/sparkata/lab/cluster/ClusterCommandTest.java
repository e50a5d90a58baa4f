package io.sparkata.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.lab.Ata;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code scripts/cluster} up to where it starts something. */
class ClusterCommandTest {
  @TempDir private Path root;
  private FakeProject project;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeScripts() throws Exception {
    project = new FakeProject(root);
  }

  @AfterEach
  void forgetScripts() {
    project.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          begin                 | 2 | Invalid command: begin (one of hold, lift, start, status, stop, throttle)
          start --manager mesos | 2 | Invalid --manager: mesos (one of standalone, yarn)
          start --cores 0       | 2 | Invalid --cores: 0 (a whole number from 1)
          start --cores         | 2 | Invalid command line: the value of --cores is missing (it is needed)
          start --memory 1      | 2 | Invalid --memory: 1 (a number and m or g, e.g. 1g)
          start --speeds 1,x    | 2 | Invalid --speeds: 1,x (one or more positive numbers, 200 at most, e.g. 8,4,2,1)
          start --factor 1      | 2 | Invalid option: --factor (unknown)
          throttle --factor 0.5 | 2 | Invalid command line: --worker is missing (it is needed)
          throttle --worker h --factor 1.1 | 2 | Invalid --factor: 1.1 (above 0, at most 1)
          start --dir src       | 1 | Cannot use SRC: it holds other files. Set --dir=<an empty or new folder>.
          lift --dir src        | 1 | Cannot lift: no cluster runs in SRC. Start one: scripts/cluster start --dir SRC
          """)
  void run_badArguments_saysWhatIsAllowedAndStartsNothing(String line, int status, String message)
      throws Exception {
    String src = Path.of("src").toAbsolutePath().toString();
    assertThat(run(line)).isEqualTo(status);
    assertThat(err.toString()).startsWith(message.replace("SRC", src) + "\n");
    assertThat(project.calls()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "status, 3, target/cluster",
    "stop, 0, target/cluster",
    "status --manager yarn, 3, target/yarn",
    "stop --manager=yarn --dir=/x/../y, 0, /y"
  })
  void run_noClusterThere_namesItsFolder(String line, int status, String folder) {
    assertThat(run(line)).isEqualTo(status);
    assertThat(out.toString()).isEqualTo("not running\n");
    assertThat(run(line + " --json")).isEqualTo(status);
    assertThat(out.toString()).contains("\"up\":false,\"dir\":\"" + root.resolve(folder) + "\"");
  }

  @Test
  void capacity_leavesSomeToTheDriver() {
    assertThat(options().capacity(2)).isEqualTo(1.5);
    assertThat(options().capacity(1)).isEqualTo(0.5);
    assertThat(options("--capacity", "2").capacity(2)).isEqualTo(2);
    assertThatThrownBy(() -> options("--capacity", "2.5").capacity(2))
        .hasMessage(
            "Invalid --capacity: 2.5 (above 0, at most the 2 CPUs here; less leaves some to the"
                + " driver)");
  }

  @ParameterizedTest
  @CsvSource({"512m, 512", "3G, 3072"})
  void memoryMib_ofEachUnit_isRight(String memory, long mib) {
    assertThat(options("--memory", memory).memoryMib()).isEqualTo(mib);
  }

  @Test
  void cpus_ranges_areReadFromTheKernelsText() {
    assertThat(ClusterPlan.cpus("Name:\tjava\nCpus_allowed_list:\t3,5-7\nx:\t1\n"))
        .isEqualTo(List.of(3, 5, 6, 7));
  }

  @Test
  void sparkJars_ofAHome_haveItsVersions() throws Exception {
    assertThat(SparkJars.in(root.resolve("spark")))
        .isEqualTo(new SparkJars(root.resolve("spark"), "3.5.6", "2.13"));
    Path empty = Files.createDirectories(root.resolve("empty/jars")).getParent();
    assertThatThrownBy(() -> SparkJars.in(empty))
        .hasMessage("Cannot find Spark in " + empty + "/jars.");
  }

  private int run(String line) {
    out.getBuffer().setLength(0);
    return Ata.commandLine(new ClusterCommand())
        .setOut(new PrintWriter(out, /* autoFlush= */ true))
        .setErr(new PrintWriter(err, /* autoFlush= */ true))
        .execute(line.split(" ", -1));
  }

  private static StartOptions options(String... arguments) {
    return CommandLine.populateCommand(new StartOptions(), arguments);
  }
}
