package io.sparkata.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFolderTest {
  private static final ClusterState STATE =
      new ClusterState(
          "spark://127.0.0.1:7077",
          "http://127.0.0.1:8080",
          10,
          "3.5.6",
          "2.13",
          WorkerShare.Enforcement.CGROUP,
          List.of(
              new ClusterState.Worker(
                  new WorkerShare("127.0.0.2", 8, 0.8, new CpuQuota(8000, 10_000), 0),
                  11,
                  "/sys/fs/cgroup/cpu/a"),
              new ClusterState.Worker(
                  new WorkerShare("127.0.0.3", 0.5, 0.05, new CpuQuota(500, 10_000), 3),
                  12,
                  null)));

  @TempDir private Path parent;

  @AutoClose
  @SuppressWarnings("UnusedVariable") // JUnit closes it
  private FakeProject project;

  private ClusterFolder folder;

  @BeforeEach
  void prepare() throws IOException {
    project = new FakeProject(parent.resolve("project"));
    folder = new ClusterFolder(parent.resolve("cluster"));
    folder.prepare();
  }

  @Test
  void read_whatWasWritten_isTheSameUntilItIsCleared() throws IOException {
    assertThat(folder.read()).isEmpty();
    folder.write(STATE);
    Path secret = Files.createFile(folder.secret());
    folder.linkMaster(7077);
    Path link = parent.resolve("project/target/masters/7077");
    assertThat(link.resolve("secret.args")).exists();
    CpuGroup group = folder.makeGroup(new CpuGroup(parent), "127.0.0.2");
    assertThat(group.folder()).exists();

    assertThat(folder.read()).contains(STATE);
    folder.clear();
    assertThat(folder.read()).isEmpty();
    assertThat(secret).doesNotExist();
    assertThat(Files.isSymbolicLink(link)).isFalse();
    assertThat(group.folder()).doesNotExist();
    assertThat(folder.path().resolve("logs")).exists();
  }

  @Test
  void prepare_folderOfAnEarlierCluster_losesItsLogsAndIsForItsUserOnly() throws IOException {
    Path elsewhere = Files.createFile(parent.resolve("elsewhere"));
    Files.createDirectories(folder.work("a").resolve("b"));
    Files.createSymbolicLink(folder.work("a").resolve("link"), elsewhere);
    Files.createFile(folder.path().resolve("logs/master.log"));
    folder.prepare();
    assertThat(folder.work("a").getParent()).isEmptyDirectory();
    assertThat(folder.path().resolve("logs")).isEmptyDirectory();
    assertThat(elsewhere).exists();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
        .isEqualTo("rwx------");
  }

  @Test
  void requireFree_folderWithOtherFiles_isRefused() throws IOException {
    assertThatThrownBy(() -> new ClusterFolder(parent).requireFree())
        .hasMessage(
            "Cannot use " + parent + ": it holds other files. Set --dir=<an empty or new folder>.");
    assertThat(folder.path()).exists();
  }

  @Test
  void requireOwner_folderOfAnotherUser_isRefused() throws IOException {
    UserPrincipal another =
        parent.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("65533");
    assertThatThrownBy(() -> folder.requireOwner(another))
        .hasMessage(
            "Cannot use %s: it belongs to another user. Set --dir=<a folder of yours>.",
            folder.path());
  }

  @Test
  void toText_workerIsDown_marksIt() {
    assertThat(STATE.isUp(pid -> true)).isTrue();
    assertThat(STATE.isUp(pid -> pid != 10)).isFalse();
    assertThat(STATE.toText(pid -> pid != 12))
        .isEqualTo(
            """
            master spark://127.0.0.1:7077 (pid 10, web page http://127.0.0.1:8080), Spark 3.5.6 for Scala 2.13, shares by: cgroup
            worker 127.0.0.2     pid 11      speed 8.0    0.8 CPU
            worker 127.0.0.3     pid 12      speed 0.5    0.05 CPU  DOWN
            """);
  }
}
