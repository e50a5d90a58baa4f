package io.sparkata.lab.scripts;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * A cluster that was started.
 *
 * @param address for those who submit
 * @param facts by name: ports, versions and options
 * @param workers in the order of --speeds
 */
record ClusterState(String address, Map<String, String> facts, List<Worker> workers) {
  static final String WEB_PORT = "webPort";
  static final String MASTER_PID = "masterPid";
  static final String CORES = "cores";
  static final String MEMORY = "memory";
  static final String CAPACITY = "capacity";
  static final String REAL_CPUS = "realCpus";
  static final String PROFILE = "profile";
  static final String SPARK_VERSION = "sparkVersion";
  static final String SCALA_VERSION = "scalaVersion";

  private static final String NO_GROUP = "-";

  /**
   * A worker that was started.
   *
   * @param share as planned
   * @param pid of its JVM
   * @param means what holds it to the share
   * @param group its cgroup, or a dash
   */
  record Worker(WorkerShare share, long pid, String means, String group) {
    static Worker of(WorkerShare share, long pid, String means, Path group) {
      return new Worker(share, pid, means, group == null ? NO_GROUP : group.toString());
    }

    boolean hasGroup() {
      return !group.equals(NO_GROUP);
    }

    Enforcement enforcement() {
      return Enforcement.describedBy(means);
    }

    String toLine() {
      return String.join(
          "\t",
          share.host(),
          "" + pid,
          share.speedText(),
          share.cpusText(),
          means,
          group,
          "" + share.quota(),
          "" + share.period());
    }

    static Worker ofLine(String line) {
      String[] field = line.split("\t", -1);
      WorkerShare share =
          new WorkerShare(
              field[0],
              Double.parseDouble(field[2]),
              Double.parseDouble(field[3]),
              Long.parseLong(field[6]),
              Long.parseLong(field[7]),
              /* nice= */ 0);
      return new Worker(share, Long.parseLong(field[1]), field[4], field[5]);
    }
  }

  private long masterPid() {
    return Long.parseLong(facts.get(MASTER_PID));
  }

  private String webUi() {
    return "http://127.0.0.1:" + facts.get(WEB_PORT);
  }

  /** Whether master and workers run. */
  boolean isUp(LongPredicate isRunning) {
    return isRunning.test(masterPid())
        && workers.stream().allMatch(worker -> isRunning.test(worker.pid));
  }

  /** One line for the master and one per worker. */
  String toText(LongPredicate isRunning) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "master %s (pid %s, web page %s), Spark %s for Scala %s%n",
            address, masterPid(), webUi(), facts.get(SPARK_VERSION), facts.get(SCALA_VERSION)));
    for (Worker worker : workers) {
      text.append(
          String.format(
              "worker %-13s pid %-7s speed %-6s %s CPU  %s%s%n",
              worker.share.host(),
              worker.pid,
              worker.share.speedText(),
              worker.share.cpusText(),
              worker.means,
              isRunning.test(worker.pid) ? "" : "  DOWN"));
    }
    return text.toString();
  }

  /** The object that --json prints. */
  Map<String, Object> toMap(Path folder, LongPredicate isRunning) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("up", isUp(isRunning));
    map.put("master", address);
    map.put("webUi", webUi());
    map.put("masterPid", masterPid());
    map.put("dir", folder);
    map.put(PROFILE, facts.get(PROFILE));
    map.put(SPARK_VERSION, facts.get(SPARK_VERSION));
    map.put(SCALA_VERSION, facts.get(SCALA_VERSION));
    map.put(REAL_CPUS, new BigDecimal(facts.get(REAL_CPUS)));
    map.put(CAPACITY, new BigDecimal(facts.get(CAPACITY)));
    List<Map<String, Object>> list = new ArrayList<>();
    for (Worker worker : workers) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("host", worker.share.host());
      one.put("pid", worker.pid);
      one.put("up", isRunning.test(worker.pid));
      one.put(CORES, Integer.valueOf(facts.get(CORES)));
      one.put(MEMORY, facts.get(MEMORY));
      one.put("relativeSpeed", new BigDecimal(worker.share.speedText()));
      one.put("cpuShare", new BigDecimal(worker.share.cpusText()));
      one.put("enforcement", worker.means);
      list.add(one);
    }
    map.put("workers", list);
    return map;
  }
}
