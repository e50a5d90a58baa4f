package io.sparkata.lab.cluster;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.lab.Folders;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Optional;

/**
 * Folder of a cluster, for its user only: logs, work folders, configuration, secret and state.
 *
 * @param path of the folder, absolute
 */
record ClusterFolder(Path path) {
  private static final String MARK = ".spark-ata-cluster";
  private static final String MASTER_URL = "master-url";
  private static final String STATE = "cluster.json";
  private static final String SECRET = "secret.args";

  /** Lists what {@link #clear} deletes elsewhere. */
  private static final String ELSEWHERE = "elsewhere";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What lies in the folder is executed with the rights of the user of this process. */
  void requireOwn() throws IOException {
    requireOwner(Files.getOwner(Path.of("/proc/self")));
  }

  void requireOwner(UserPrincipal user) throws IOException {
    if (Files.exists(path, NOFOLLOW_LINKS) && !Files.getOwner(path, NOFOLLOW_LINKS).equals(user)) {
      throw new RunFailure(
          "Cannot use " + path + ": it belongs to another user. Set --dir=<a folder of yours>.");
    }
  }

  /** Fails if the folder holds anything but the files of a cluster that has ended. */
  void requireFree() throws IOException {
    String[] files = path.toFile().list();
    if (files != null && files.length > 0 && !Files.exists(path.resolve(MARK))) {
      throw new RunFailure(
          "Cannot use " + path + ": it holds other files. Set --dir=<an empty or new folder>.");
    }
    if (!new ClusterProcesses(path).running().isEmpty()) {
      throw new RunFailure(
          ("Cannot start a cluster in %s: one runs there already. Set --dir=<another folder>, or"
                  + " end it with: scripts/cluster stop --dir %s")
              .formatted(path, path));
    }
  }

  /** Makes the folder, or removes what an earlier cluster has left in it. */
  void prepare() throws IOException {
    Files.createDirectories(path);
    requireOwn();
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
    Files.write(path.resolve(MARK), new byte[0]);
    clear();
    Folders.empty(path.resolve("logs"));
    Folders.empty(path.resolve("work"));
  }

  /** A work folder, of a worker or for another purpose. */
  Path work(String name) {
    return path.resolve("work").resolve(name);
  }

  /** JVM options with the secret of a standalone cluster. */
  Path secret() {
    return path.resolve(SECRET);
  }

  /** Has scripts/submit find the secret of the master at a port. */
  void linkMaster(int port) throws IOException {
    Path link = Files.createDirectories(Project.path("target/masters")).resolve("" + port);
    Files.deleteIfExists(link);
    Files.createSymbolicLink(noted(link), path);
  }

  /** Makes a cgroup for a worker. */
  CpuGroup makeGroup(CpuGroup base, String host) throws IOException {
    CpuGroup group = base.child(host);
    Files.createDirectory(noted(group.folder()));
    return group;
  }

  private Path noted(Path file) throws IOException {
    Files.writeString(path.resolve(ELSEWHERE), file + "\n", CREATE, APPEND);
    return file;
  }

  void write(ClusterState state) throws IOException {
    JSON.writerWithDefaultPrettyPrinter().writeValue(path.resolve(STATE).toFile(), state);
    Files.writeString(path.resolve(MASTER_URL), state.master() + "\n");
  }

  /** Empty unless a cluster was started and not stopped. */
  Optional<ClusterState> read() throws IOException {
    return Files.exists(path.resolve(MASTER_URL))
        ? Optional.of(JSON.readValue(path.resolve(STATE).toFile(), ClusterState.class))
        : Optional.empty();
  }

  /** Removes state, secret, link and cgroups of a cluster whose processes have ended. */
  void clear() throws IOException {
    if (Files.exists(path.resolve(ELSEWHERE))) {
      for (String file : Files.readAllLines(path.resolve(ELSEWHERE))) {
        new CpuGroup(Path.of(file)).delete();
      }
    }
    for (String name : List.of(ELSEWHERE, STATE, MASTER_URL, SECRET)) {
      Files.deleteIfExists(path.resolve(name));
    }
  }
}
