package io.sparkata.lab.cluster;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.lab.Folders;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Folder of a cluster, for its user only: logs, work folders, configuration, secret and state.
 *
 * @param path of the folder, absolute
 */
record ClusterFolder(Path path) {
  private static final String MARK = ".spark-ata-cluster";
  private static final String MASTER_URL = "master-url";
  private static final String STATE = "cluster.json";
  private static final String GROUPS = "cgroups";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What lies in the folder is executed with the rights of the user of this process. */
  void requireOwn() throws IOException {
    requireOwner(Files.getOwner(Path.of("/proc/self")));
  }

  void requireOwner(UserPrincipal user) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && !Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(user)) {
      throw new RunFailure(
          "Cannot use " + path + ": it belongs to another user. Set --dir=<a folder of yours>.");
    }
  }

  /** Fails if the folder holds anything but a cluster's files. */
  void requireNoOtherFiles() throws IOException {
    if (!Files.isDirectory(path) || Files.exists(path.resolve(MARK))) {
      return;
    }
    try (Stream<Path> files = Files.list(path)) {
      if (files.findAny().isPresent()) {
        throw new RunFailure(
            "Cannot use " + path + ": it holds other files. Set --dir=<an empty or new folder>.");
      }
    }
  }

  /** Makes the folder, or removes an earlier cluster's logs and work folders from it. */
  void prepare() throws IOException {
    requireNoOtherFiles();
    Files.createDirectories(path);
    requireOwn();
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
    Files.write(path.resolve(MARK), new byte[0]);
    Folders.empty(path.resolve("logs"));
    Folders.empty(path.resolve("work"));
  }

  /** A work folder, of a worker or for another purpose. */
  Path work(String name) {
    return path.resolve("work").resolve(name);
  }

  Path log(String name) {
    return path.resolve("logs").resolve(name + ".log");
  }

  /** JVM options with the secret of a standalone cluster. */
  Path secret() {
    return path.resolve("secret.args");
  }

  /** Where scripts/submit finds the folder of a standalone cluster, by the master's port. */
  private static Path masters() {
    return Project.path("target").resolve("masters");
  }

  /** Has scripts/submit find the secret of the master at a port. */
  void linkMaster(int port) throws IOException {
    Path link = Files.createDirectories(masters()).resolve("" + port);
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, path);
  }

  /** Makes a cgroup for a worker, and notes it before for {@link #clear}. */
  CpuGroup makeGroup(CpuGroup base, String host) throws IOException {
    CpuGroup group = base.child("spark-ata-" + ProcessHandle.current().pid() + "-" + host);
    Files.writeString(path.resolve(GROUPS), group.folder() + "\n", CREATE, APPEND);
    Files.createDirectory(group.folder());
    return group;
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

  /** Removes the cgroups and the state of a cluster whose processes have ended. */
  void clear() throws IOException {
    if (Files.exists(path.resolve(GROUPS))) {
      for (String group : Files.readAllLines(path.resolve(GROUPS))) {
        new CpuGroup(Path.of(group)).remove();
      }
    }
    for (String name : List.of(GROUPS, STATE, MASTER_URL)) {
      Files.deleteIfExists(path.resolve(name));
    }
    Files.deleteIfExists(secret());
    if (Files.isDirectory(masters())) {
      try (Stream<Path> links = Files.list(masters())) {
        for (Path link : links.toList()) {
          if (Files.readSymbolicLink(link).equals(path)) {
            Files.delete(link);
          }
        }
      }
    }
  }
}
