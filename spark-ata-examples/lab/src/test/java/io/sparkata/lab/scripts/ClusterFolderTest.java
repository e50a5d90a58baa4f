package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFolderTest {
  private static final ClusterState STATE =
      new ClusterState(
          "spark://127.0.0.1:7077",
          Map.of(
              "webPort", "8080",
              "masterPid", "10",
              "cores", "1",
              "memory", "1g",
              "capacity", "1.5",
              "realCpus", "2",
              "profile", "spark-3.5",
              "sparkVersion", "3.5.6",
              "scalaVersion", "2.13"),
          List.of(
              new ClusterState.Worker(
                  new WorkerShare("127.0.0.2", 8, 0.8, 8000, 10000, 0),
                  11,
                  "cgroup v1 quota 8000/10000 us",
                  "/sys/fs/cgroup/cpu/a"),
              new ClusterState.Worker(
                  new WorkerShare("127.0.0.3", 4, 0.4, 4000, 10000, 0), 12, "no limit", "-")));

  @TempDir private Path parent;

  @Test
  void read_whatWasWritten_isTheSame() throws IOException {
    ClusterFolder folder = prepared();
    assertThat(folder.read()).isEmpty();
    folder.write(STATE);
    assertThat(folder.read()).contains(STATE);
    folder.deleteState();
    assertThat(folder.read()).isEmpty();
    assertThat(folder.logs()).exists();
  }

  @Test
  void prepare_folderOfAnEarlierCluster_losesItsLogs() throws IOException {
    ClusterFolder folder = prepared();
    Path elsewhere = Files.createFile(parent.resolve("elsewhere"));
    Files.createDirectories(folder.work().resolve("a/b"));
    Files.createSymbolicLink(folder.work().resolve("a/link"), elsewhere);
    Files.createFile(folder.log("master"));
    folder.prepare(Caller.current());
    assertThat(folder.work()).isEmptyDirectory();
    assertThat(folder.logs()).isEmptyDirectory();
    assertThat(elsewhere).exists();
  }

  @Test
  void prepare_folderWithOtherFiles_isRefused() throws IOException {
    Path file = Files.createFile(parent.resolve("precious"));
    ClusterFolder folder = new ClusterFolder(parent);
    assertThatThrownBy(() -> folder.prepare(Caller.current()))
        .hasMessage(
            "Cannot use " + parent + ": it holds other files. Set --dir=<an empty or new folder>.");
    assertThat(file).exists();
  }

  @Test
  void prepare_folderOfAnotherUser_isRefused() throws IOException {
    Caller another = new Caller(Caller.current().id() + 1);
    assertThatThrownBy(() -> new ClusterFolder(parent).prepare(another))
        .hasMessage(
            "Cannot use "
                + parent
                + ": it belongs to another user. Set --dir=<a folder of yours>.");
  }

  @Test
  void writeSecret_always_isForTheCallerOnly() throws IOException {
    ClusterFolder folder = prepared();
    Files.createFile(folder.path().resolve("secret.args"));
    Path secret = folder.writeSecret("x");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
        .isEqualTo("rw-------");
    assertThat(secret).hasContent("x");
  }

  @Test
  void toText_workerIsDown_marksIt() {
    assertThat(STATE.isUp(pid -> true)).isTrue();
    assertThat(STATE.isUp(pid -> pid != 12)).isFalse();
    assertThat(STATE.isUp(pid -> pid != 10)).isFalse();
    assertThat(STATE.toText(pid -> pid != 12))
        .isEqualTo(
            """
            master spark://127.0.0.1:7077 (pid 10, web page http://127.0.0.1:8080), Spark 3.5.6 for Scala 2.13
            worker 127.0.0.2     pid 11      speed 8      0.8 CPU  cgroup v1 quota 8000/10000 us
            worker 127.0.0.3     pid 12      speed 4      0.4 CPU  no limit  DOWN
            """);
  }

  @Test
  void toMap_json_hasTheKeysThatReadersUse() {
    assertThat(Json.of(STATE.toMap(Path.of("/d"), pid -> pid != 12)))
        .isEqualTo(
            """
            {"up":false,"master":"spark://127.0.0.1:7077","webUi":"http://127.0.0.1:8080",\
            "masterPid":10,"dir":"/d","profile":"spark-3.5","sparkVersion":"3.5.6",\
            "scalaVersion":"2.13","realCpus":2,"capacity":1.5,"workers":[\
            {"host":"127.0.0.2","pid":11,"up":true,"cores":1,"memory":"1g","relativeSpeed":8,\
            "cpuShare":0.8,"enforcement":"cgroup v1 quota 8000/10000 us"},\
            {"host":"127.0.0.3","pid":12,"up":false,"cores":1,"memory":"1g","relativeSpeed":4,\
            "cpuShare":0.4,"enforcement":"no limit"}]}\
            """);
  }

  private ClusterFolder prepared() throws IOException {
    ClusterFolder folder = new ClusterFolder(parent.resolve("cluster"));
    folder.prepare(Caller.current());
    return folder;
  }
}
