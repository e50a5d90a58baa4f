package io.sparkata.lab.scripts;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What is particular to a kind of cluster: its JVMs, and how to ask the master about workers. */
interface ClusterManager {
  /** For example Spark 3.5.6. */
  String title();

  /** Writes what the JVMs read at their start; afterwards the master can be started. */
  void prepare() throws IOException;

  ClusterJvms.Launch master() throws IOException;

  /**
   * A worker.
   *
   * @param prefix command that is to run the JVM
   * @param options more JVM options
   * @param environment added to this process's
   */
  ClusterJvms.Launch worker(
      String host, List<String> prefix, List<String> options, Map<String, String> environment)
      throws IOException;

  /** JVM options that workers and their executors inherit, in the form of JDK_JAVA_OPTIONS. */
  String inheritedOptions();

  /** For those who submit. */
  String address();

  /** Path of the master's web page that counts workers. */
  String webPath();

  /** What stands before that count in the web page. */
  String countName();
}
