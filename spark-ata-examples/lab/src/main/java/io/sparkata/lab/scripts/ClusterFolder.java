package io.sparkata.lab.scripts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Folder of a cluster: logs, work folders, configuration, secret and state.
 *
 * @param path of the folder
 */
record ClusterFolder(Path path) {
  static final String SECRET = "secret.args";
  static final String MASTER_URL = "master-url";

  /** Settings for spark-submit, in the folder of YARN's configuration. */
  static final String YARN_SETTINGS = "spark-yarn.conf";

  private static final String MARK = ".spark-ata-cluster";
  private static final String FACTS = "cluster.tsv";
  private static final String WORKERS = "workers.tsv";

  /** What lies there is executed, and written to, with the caller's rights. */
  void requireOwn(Caller caller) {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !caller.owns(path)) {
      throw new ScriptFailure(
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
        throw new ScriptFailure(
            "Cannot use " + path + ": it holds other files. Set --dir=<an empty or new folder>.");
      }
    }
  }

  /** Makes the folder, or removes an earlier cluster's logs and work folders from it. */
  void prepare(Caller caller) throws IOException {
    requireNoOtherFiles();
    Files.createDirectories(path);
    requireOwn(caller);
    Files.write(path.resolve(MARK), new byte[0]);
    for (Path folder : List.of(logs(), work())) {
      delete(folder);
      Files.createDirectory(folder);
    }
  }

  Path logs() {
    return path.resolve("logs");
  }

  Path work() {
    return path.resolve("work");
  }

  Path log(String name) {
    return logs().resolve(name + ".log");
  }

  /** Writes a file that only the caller can read. */
  Path writeSecret(String text) throws IOException {
    Path file = path.resolve(SECRET);
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, text, StandardOpenOption.WRITE);
  }

  void write(ClusterState state) throws IOException {
    List<String> facts = new ArrayList<>();
    new TreeMap<>(state.facts()).forEach((name, value) -> facts.add(name + "\t" + value));
    Files.write(path.resolve(WORKERS), state.workers().stream().map(w -> w.toLine()).toList());
    Files.write(path.resolve(FACTS), facts);
    Files.writeString(path.resolve(MASTER_URL), state.address() + "\n");
  }

  /** Empty unless a cluster was started and not stopped. */
  Optional<ClusterState> read() throws IOException {
    if (!Files.exists(path.resolve(MASTER_URL))) {
      return Optional.empty();
    }
    Map<String, String> facts = new TreeMap<>();
    for (String line : Files.readAllLines(path.resolve(FACTS))) {
      String[] fields = line.split("\t", 2);
      facts.put(fields[0], fields[1]);
    }
    List<ClusterState.Worker> workers = new ArrayList<>();
    for (String line : Files.readAllLines(path.resolve(WORKERS))) {
      workers.add(ClusterState.Worker.ofLine(line));
    }
    String address = Files.readString(path.resolve(MASTER_URL)).trim();
    return Optional.of(new ClusterState(address, facts, workers));
  }

  void deleteState() throws IOException {
    for (String name : Set.of(FACTS, WORKERS, MASTER_URL, SECRET)) {
      Files.deleteIfExists(path.resolve(name));
    }
  }

  /** Follows from the folder, so that stop finds the cluster's cgroups without any state. */
  String groupPrefix() {
    CRC32 sum = new CRC32();
    sum.update(path.toString().getBytes(StandardCharsets.UTF_8));
    return "spark-ata-" + sum.getValue() + "-";
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
