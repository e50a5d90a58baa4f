package io.sparkata.lab.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * A cluster that was started, as its folder holds it and {@code --json} prints it.
 *
 * @param master address for those who submit
 * @param dir the folder
 * @param realCpus CPUs that this process may use
 * @param capacity CPUs that the workers share
 * @param workers in the order of --speeds
 */
record ClusterState(
    String master,
    String webUi,
    long masterPid,
    String dir,
    String profile,
    String sparkVersion,
    String scalaVersion,
    int realCpus,
    double capacity,
    List<Worker> workers) {

  /**
   * A worker that was started.
   *
   * @param enforcement what holds it to its share
   * @param group folder of its cgroup, or null
   * @param quota what the cgroup holds it to
   */
  record Worker(
      String host,
      long pid,
      int cores,
      String memory,
      double relativeSpeed,
      double cpuShare,
      String enforcement,
      String group,
      CpuQuota quota) {
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
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "master %s (pid %s, web page %s), Spark %s for Scala %s%n",
            master, masterPid, webUi, sparkVersion, scalaVersion));
    for (Worker worker : workers) {
      text.append(
          String.format(
              "worker %-13s pid %-7s speed %-6s %s CPU  %s%s%n",
              worker.host,
              worker.pid,
              WorkerShare.text(worker.relativeSpeed),
              WorkerShare.text(worker.cpuShare),
              worker.enforcement,
              isRunning.test(worker.pid) ? "" : "  DOWN"));
    }
    return text.toString();
  }

  /** This object, with {@code up} for the cluster and for each worker. */
  ObjectNode toJson(LongPredicate isRunning) {
    ObjectNode json = new ObjectMapper().valueToTree(this);
    json.put("up", isUp(isRunning));
    json.get("workers")
        .forEach(
            worker -> ((ObjectNode) worker).put("up", isRunning.test(worker.get("pid").asLong())));
    return json;
  }
}
