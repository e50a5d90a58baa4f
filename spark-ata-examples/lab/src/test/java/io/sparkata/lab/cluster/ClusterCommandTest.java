package io.sparkata.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.lab.Ata;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code scripts/cluster} up to where it starts something. */
class ClusterCommandTest {
  @TempDir private Path root;
  @AutoClose private FakeProject project;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeScripts() throws Exception {
    project = new FakeProject(root);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          start --manager mesos | 2 | Invalid --manager: mesos (one of standalone, yarn)
          start --cores 0       | 2 | Invalid --cores: 0 (a whole number from 1)
          start --memory 1      | 2 | Invalid --memory: 1 (a number and m or g, e.g. 1g)
          start --speeds 1,x    | 2 | Invalid --speeds: 1,x (one or more positive numbers, 200 at most, e.g. 8,4,2,1)
          start --speeds 2,1 ATA_CLUSTER_ENFORCE none | 2 | Invalid --speeds: 2,1 (all equal with ATA_CLUSTER_ENFORCE=none)
          start ATA_CLUSTER_ENFORCE all | 2 | Invalid ATA_CLUSTER_ENFORCE: all (one of cgroup, affinity, none)
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

  @ParameterizedTest
  @CsvSource({
    "--memory 3G, 2, 1.5, 3072",
    "--memory 512m --capacity 0.5, 2, 0.5, 512",
    "--memory 1g, 1, 0.5, 1024"
  })
  void plan_ofOneWorker_hasTheMemoryAndLeavesSomeToTheDriver(
      String line, int cpus, double share, long mib) throws IOException {
    ClusterPlan plan = plan(cpus, line);
    assertThat(plan.memoryMib()).isEqualTo(mib);
    assertThat(plan.shares().get(0).cpus()).isEqualTo(share);
  }

  @Test
  void plan_moreCpusThanThereAre_saysHowMany() {
    assertThatThrownBy(() -> plan(2, "--capacity 2.5"))
        .hasMessage(
            "Invalid --capacity: 2.5 (above 0, at most the 2 CPUs here; less leaves some to the"
                + " driver)");
  }

  private static ClusterPlan plan(int cpus, String line) throws IOException {
    String all = line + " --speeds 1 --cores 4 ATA_CLUSTER_ENFORCE none";
    StartOptions options = new StartOptions();
    new CommandLine(options)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(all.split(" ", -1));
    return options.plan(cpus);
  }

  @Test
  void cpus_ranges_areReadFromTheKernelsText() {
    assertThat(ClusterPlan.cpus("Name:\tjava\nCpus_allowed_list:\t3,5-7\nx:\t1\n"))
        .containsExactly("3", "5", "6", "7");
  }

  private int run(String line) {
    out.getBuffer().setLength(0);
    return Ata.commandLine(new ClusterCommand())
        .setOut(new PrintWriter(out, /* autoFlush= */ true))
        .setErr(new PrintWriter(err, /* autoFlush= */ true))
        .execute(line.split(" ", -1));
  }
}
