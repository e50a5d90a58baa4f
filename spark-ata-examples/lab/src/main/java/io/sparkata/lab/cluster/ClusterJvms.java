package io.sparkata.lab.cluster;

import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts the JVMs of a cluster, which outlive this one, and ends them all if the start fails or is
 * interrupted. Safe for use by two threads: the one that starts and the shutdown hook.
 */
final class ClusterJvms {
  private final ClusterFolder folder;
  private final SparkJars spark;
  private final Thread cleaner = new Thread(this::endAfterFailure, "end the cluster");
  private final Map<String, Process> started = new LinkedHashMap<>();
  private boolean isEnding;

  /** Nothing is started yet. From here on the end of this process ends the cluster. */
  ClusterJvms(ClusterFolder folder, SparkJars spark) {
    this.folder = folder;
    this.spark = spark;
    Runtime.getRuntime().addShutdownHook(cleaner);
  }

  /** The cluster is complete and stays. */
  void outliveThisProcess() {
    Runtime.getRuntime().removeShutdownHook(cleaner);
  }

  /**
   * Starts a JVM without a terminal.
   *
   * @param name of its log
   * @param prefix command that is to run the JVM
   * @param arguments options, main class and its arguments
   * @param environment added to this process's
   */
  synchronized Process start(
      String name, List<String> prefix, List<String> arguments, Map<String, String> environment)
      throws IOException {
    if (isEnding) {
      throw interrupted();
    }
    List<String> command = new ArrayList<>(List.of("nohup", "setsid"));
    command.addAll(prefix);
    command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx512m"));
    command.addAll(Project.sparkJvmOptions());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectInput(Redirect.from(new File("/dev/null")));
    builder.redirectOutput(folder.log(name).toFile());
    Map<String, String> all = builder.environment();
    all.keySet().removeIf(variable -> variable.startsWith("ATA_")); // of the scripts
    all.put("SPARK_HOME", spark.home().toString());
    all.put("SPARK_SCALA_VERSION", spark.scala());
    all.put(ClusterProcesses.VARIABLE, folder.path().toString());
    all.putAll(environment);
    Process process = builder.start();
    started.put(name, process);
    return process;
  }

  /** Fails if a JVM has ended. */
  void requireAlive() throws IOException {
    for (Map.Entry<String, Process> one : started.entrySet()) {
      if (!one.getValue().isAlive()) {
        throw failure(one.getKey() + " ended", one.getKey());
      }
    }
  }

  /** Ends all processes, removes groups and state; returns the number of processes. */
  static int end(ClusterFolder folder) throws IOException {
    ClusterProcesses processes = new ClusterProcesses(folder.path());
    int count = processes.running().size();
    processes.end();
    folder.clear();
    return count;
  }

  private void endAfterFailure() {
    synchronized (this) {
      isEnding = true;
    }
    try {
      end(folder);
    } catch (IOException | RunFailure failure) {
      System.err.println(failure.getMessage());
    }
  }

  /** The failure, after the end of a log on stderr. */
  synchronized RunFailure failure(String reason, String log) throws IOException {
    if (isEnding) {
      return interrupted();
    }
    System.err.println("--- the end of " + folder.log(log));
    List<String> lines = Files.readAllLines(folder.log(log));
    lines.subList(Math.max(0, lines.size() - 20), lines.size()).forEach(System.err::println);
    return new RunFailure("Cannot start the cluster: " + reason + ".");
  }

  private static RunFailure interrupted() {
    return new RunFailure("Cannot start the cluster: interrupted.");
  }
}
