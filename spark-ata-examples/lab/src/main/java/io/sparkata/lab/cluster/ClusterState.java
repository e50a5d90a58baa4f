package io.sparkata.lab.cluster;

import io.sparkata.lab.cluster.WorkerShare.Enforcement;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.LongPredicate;

/**
 * A cluster that was started, as its folder holds it and {@code --json} prints it.
 *
 * @param master address for those who submit
 * @param enforcement what holds the workers to their shares
 * @param workers in the order of --speeds
 */
record ClusterState(
    String master,
    String webUi,
    long masterPid,
    String sparkVersion,
    String scalaVersion,
    Enforcement enforcement,
    List<Worker> workers) {

  /**
   * A worker that was started.
   *
   * @param group folder of its cgroup, or null
   */
  record Worker(WorkerShare share, long pid, String group) {
    CpuGroup cpuGroup() {
      return new CpuGroup(Path.of(group));
    }
  }

  /** Whether master and workers run. */
  boolean isUp(LongPredicate isRunning) {
    return isRunning.test(masterPid)
        && workers.stream().allMatch(worker -> isRunning.test(worker.pid));
  }

  /** One line for the master and one per worker. */
  String toText(LongPredicate isRunning) {
    String web = " (pid %s, web page %s), Spark %s for Scala %s, shares by: ";
    StringBuilder text = new StringBuilder("master " + master);
    text.append(web.formatted(masterPid, webUi, sparkVersion, scalaVersion));
    text.append(enforcement.name().toLowerCase(Locale.ROOT)).append(System.lineSeparator());
    for (Worker worker : workers) {
      text.append(
          "worker %-13s pid %-7s speed %-6s %s CPU%s%n"
              .formatted(
                  worker.share.host(),
                  worker.pid,
                  (float) worker.share.speed(),
                  (float) worker.share.cpus(),
                  isRunning.test(worker.pid) ? "" : "  DOWN"));
    }
    return text.toString();
  }
}
