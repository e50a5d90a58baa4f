package io.sparkata.lab.scripts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds the JVM options that hold the secret of a cluster of {@code scripts/cluster}, by the
 * environment of its master.
 *
 * <p>Only processes and files of the caller count: another user could start a process that looks
 * like a master and names a file of JVM options, which would then run with the caller's rights.
 */
final class ClusterSecret {
  private static final String MASTER_CLASS = "org.apache.spark.deploy.master.Master";

  private final Path processes;
  private final Predicate<Path> isCallers;

  /**
   * A search among processes.
   *
   * @param processes folder like /proc
   * @param isCallers whether a process folder, a folder or a file exists and belongs to the caller
   */
  ClusterSecret(Path processes, Predicate<Path> isCallers) {
    this.processes = processes;
    this.isCallers = isCallers;
  }

  /** Files of JVM options for the master at a port of 127.0.0.1. */
  List<Path> optionFiles(String port) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(processes, "[0-9]*")) {
      for (Path process : all) {
        if (isCallers.test(process)) {
          addFile(process, port, files);
        }
      }
    }
    return files;
  }

  private void addFile(Path process, String port, List<Path> files) {
    List<String> command = entries(process.resolve("cmdline"));
    if (!command.contains(MASTER_CLASS) || !command.contains(port)) {
      return;
    }
    for (String entry : entries(process.resolve("environ"))) {
      if (entry.startsWith(ClusterProcesses.MARK)) {
        Path folder = Path.of(entry.substring(ClusterProcesses.MARK.length()));
        Path file = folder.resolve(ClusterFolder.SECRET);
        if (isCallers.test(folder) && isCallers.test(file)) {
          files.add(file);
        }
      }
    }
  }

  /** None if the process has ended. */
  private static List<String> entries(Path file) {
    try {
      return List.of(Files.readString(file, StandardCharsets.ISO_8859_1).split("\0", -1));
    } catch (IOException ended) {
      return List.of();
    }
  }
}
