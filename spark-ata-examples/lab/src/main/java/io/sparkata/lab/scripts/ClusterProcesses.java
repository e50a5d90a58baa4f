package io.sparkata.lab.scripts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The processes of a cluster. Every JVM of it, executors and drivers too, inherits a mark in its
 * environment that names the cluster's folder.
 *
 * @param folder of the cluster
 */
record ClusterProcesses(Path folder) {
  static final String MARK = "ATA_CLUSTER_DIR=";

  private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(20);

  List<Long> pids() throws IOException {
    List<Long> pids = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        long pid = Long.parseLong(process.getFileName().toString());
        if (pid != ProcessHandle.current().pid() && contains(pid)) {
          pids.add(pid);
        }
      }
    }
    return pids;
  }

  boolean contains(long pid) {
    try {
      byte[] environment = Files.readAllBytes(Path.of("/proc", "" + pid, "environ"));
      byte[] mark = (MARK + folder).getBytes(StandardCharsets.UTF_8);
      String entries = "\0" + new String(environment, StandardCharsets.ISO_8859_1) + "\0";
      return entries.contains("\0" + new String(mark, StandardCharsets.ISO_8859_1) + "\0");
    } catch (IOException endedOrOfAnotherUser) {
      return false;
    }
  }

  /** Ends all of them, first with SIGTERM and then with SIGKILL. */
  void end() throws IOException {
    signal(/* force= */ false);
    if (await()) {
      return;
    }
    signal(/* force= */ true);
    if (!await()) {
      throw new ScriptFailure(
          "Cannot stop the cluster: these processes do not end: "
              + pids().stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }
  }

  private void signal(boolean force) throws IOException {
    for (long pid : pids()) {
      ProcessHandle.of(pid)
          .ifPresent(
              process -> {
                if (force) {
                  process.destroyForcibly();
                } else {
                  process.destroy();
                }
              });
    }
  }

  private boolean await() throws IOException {
    long deadline = System.nanoTime() + STOP_NANOS;
    while (!pids().isEmpty()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Cgroups.pause(100);
    }
    return true;
  }
}
