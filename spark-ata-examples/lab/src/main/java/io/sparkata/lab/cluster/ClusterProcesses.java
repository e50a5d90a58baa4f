package io.sparkata.lab.cluster;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The processes of a cluster. Every JVM of it, executors and drivers too, inherits a variable in
 * its environment that names the cluster's folder.
 *
 * @param folder of the cluster
 */
record ClusterProcesses(Path folder) {
  static final String VARIABLE = "ATA_CLUSTER_DIR";

  private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(20);

  List<ProcessHandle> running() {
    return ProcessHandle.allProcesses()
        .filter(process -> !process.equals(ProcessHandle.current()) && contains(process.pid()))
        .toList();
  }

  boolean contains(long pid) {
    try {
      String entries = Files.readString(Path.of("/proc", "" + pid, "environ"), ISO_8859_1);
      String mark = new String((VARIABLE + "=" + folder).getBytes(UTF_8), ISO_8859_1);
      return ("\0" + entries + "\0").contains("\0" + mark + "\0");
    } catch (IOException endedOrOfAnotherUser) {
      return false;
    }
  }

  /** Ends all of them, first with SIGTERM and then with SIGKILL; returns how many there were. */
  int end() {
    int count = running().size();
    if (!end(ProcessHandle::destroy) && !end(ProcessHandle::destroyForcibly)) {
      throw new RunFailure(
          "Cannot stop the cluster: these processes do not end: "
              + String.join(" ", running().stream().map(process -> "" + process.pid()).toList()));
    }
    return count;
  }

  private boolean end(Consumer<ProcessHandle> signal) {
    long deadline = System.nanoTime() + STOP_NANOS;
    running().forEach(signal);
    while (!running().isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(100_000_000);
    }
    return running().isEmpty();
  }
}
