package io.sparkata.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterProcessesTest {
  @TempDir private Path folder;

  @Test
  void end_processesWithTheMark_endsThemAndNoOthers() throws Exception {
    Process ours = sleep(folder.toString());
    Process others = sleep(folder + "2");
    try {
      ClusterProcesses processes = new ClusterProcesses(folder);
      Awaitility.await().until(() -> processes.running().contains(ours.toHandle()));
      assertThat(processes.contains(ours.pid())).isTrue();
      assertThat(processes.contains(others.pid())).isFalse();
      processes.end();
      assertThat(ours.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(others.isAlive()).isTrue();
      assertThat(processes.running()).isEmpty();
    } finally {
      ours.destroyForcibly();
      others.destroyForcibly();
    }
  }

  private static Process sleep(String cluster) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sleep", "600");
    builder.environment().put("ATA_CLUSTER_DIR", cluster);
    return builder.start();
  }
}
