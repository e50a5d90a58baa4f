package io.sparkata.lab.cluster;

import java.util.List;
import java.util.function.Function;

/**
 * The JVMs of a cluster, whose configuration has been written, and how to ask the master about its
 * workers.
 *
 * @param address for those who submit
 * @param page the master's web page that counts workers
 * @param countName what stands before that count in the page
 * @param inheritedOptions JVM options that all JVMs, executors too, inherit in JDK_JAVA_OPTIONS
 * @param master JVM options, main class and arguments of the master
 * @param worker the same for the worker with a loopback address
 */
record ClusterServers(
    String address,
    String page,
    String countName,
    String inheritedOptions,
    List<String> master,
    Function<String, List<String>> worker) {

  /** The caller's own JVM options. */
  static String callersOptions() {
    return System.getenv().getOrDefault("JDK_JAVA_OPTIONS", "");
  }
}
