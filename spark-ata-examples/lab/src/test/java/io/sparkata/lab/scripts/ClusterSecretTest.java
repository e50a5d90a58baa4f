package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSecretTest {
  private static final String MASTER = "org.apache.spark.deploy.master.Master";

  @TempDir private Path folder;

  private Path processes;
  private Path cluster;
  private Path secret;

  @BeforeEach
  void startMaster() throws IOException {
    processes = folder.resolve("proc");
    cluster = Files.createDirectories(folder.resolve("cluster"));
    secret = Files.writeString(cluster.resolve("secret.args"), "-Da=b");
    process("12", "java\0" + MASTER + "\0--port\00017077\0", "A=b\0ATA_CLUSTER_DIR=" + cluster);
  }

  @Test
  void optionFiles_masterOfTheCaller_hasItsSecret() throws IOException {
    assertThat(files("17077", path -> true)).containsExactly(secret);
  }

  @Test
  void optionFiles_processOfAnotherUser_isIgnored() throws IOException {
    assertThat(files("17077", path -> !path.equals(processes.resolve("12")))).isEmpty();
  }

  @Test
  void optionFiles_folderOfAnotherUser_isIgnored() throws IOException {
    assertThat(files("17077", path -> !path.equals(cluster))).isEmpty();
  }

  @Test
  void optionFiles_fileOfAnotherUser_isIgnored() throws IOException {
    assertThat(files("17077", path -> !path.equals(secret))).isEmpty();
  }

  /** The same by the owners that the file system knows. */
  @Test
  void optionFiles_callerOwnsNothing_isEmpty() throws IOException {
    Caller caller = Caller.current();
    assertThat(files("17077", caller::owns)).containsExactly(secret);
    assertThat(files("17077", new Caller(caller.id() + 1)::owns)).isEmpty();
    Files.delete(secret);
    assertThat(files("17077", caller::owns)).isEmpty();
  }

  @Test
  void optionFiles_otherPortOrProgram_isIgnored() throws IOException {
    assertThat(files("7077", path -> true)).isEmpty();
    process("13", "java\0Main\0--port\00018080\0", "ATA_CLUSTER_DIR=" + cluster);
    assertThat(files("18080", path -> true)).isEmpty();
  }

  private Iterable<Path> files(String port, Predicate<Path> isCallers) throws IOException {
    return new ClusterSecret(processes, isCallers).optionFiles(port);
  }

  private void process(String pid, String command, String environment) throws IOException {
    Path process = Files.createDirectories(processes.resolve(pid));
    Files.writeString(process.resolve("cmdline"), command);
    Files.writeString(process.resolve("environ"), environment + "\0");
  }
}
