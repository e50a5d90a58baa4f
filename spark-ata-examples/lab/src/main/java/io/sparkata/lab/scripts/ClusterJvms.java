package io.sparkata.lab.scripts;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts the JVMs of a cluster, which outlive this one, and ends them all if the start fails or is
 * interrupted. Safe for use by two threads: the one that starts and the shutdown hook.
 */
final class ClusterJvms {
  private final ClusterFolder folder;
  private final Map<String, String> environment;
  private final List<String> jvmOptions;
  private final Thread cleaner = new Thread(this::endAfterFailure, "end the cluster");
  private boolean isEnding;

  /**
   * What to start.
   *
   * @param name of the log
   * @param prefix command that is to run the JVM
   * @param options of the JVM
   * @param classPath of the JVM
   * @param main class and arguments
   * @param environment added to this process's
   */
  record Launch(
      String name,
      List<String> prefix,
      List<String> options,
      String classPath,
      List<String> main,
      Map<String, String> environment) {}

  /**
   * Nothing is started yet.
   *
   * @param environment for all JVMs
   * @param jvmOptions for all JVMs
   */
  ClusterJvms(ClusterFolder folder, Map<String, String> environment, List<String> jvmOptions) {
    this.folder = folder;
    this.environment = environment;
    this.jvmOptions = jvmOptions;
  }

  /** From here on the end of this process ends the cluster; Ctrl-C during that has no effect. */
  void endWithThisProcess() {
    Runtime.getRuntime().addShutdownHook(cleaner);
  }

  /** The cluster is complete and stays. */
  void outliveThisProcess() {
    Runtime.getRuntime().removeShutdownHook(cleaner);
  }

  /** Starts a JVM without a terminal. */
  synchronized Process start(Launch launch) throws IOException {
    if (isEnding) {
      throw interrupted();
    }
    List<String> command = new ArrayList<>(List.of("nohup", "setsid"));
    command.addAll(launch.prefix);
    command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx512m"));
    command.addAll(jvmOptions);
    command.addAll(launch.options);
    command.addAll(List.of("-cp", launch.classPath));
    command.addAll(launch.main);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectInput(Redirect.from(new File("/dev/null")));
    builder.redirectOutput(folder.log(launch.name).toFile());
    Map<String, String> all = builder.environment();
    all.keySet().removeIf(name -> name.startsWith("ATA_")); // of the scripts
    all.putAll(environment);
    all.putAll(launch.environment);
    String mark = ClusterProcesses.MARK;
    all.put(mark.substring(0, mark.length() - 1), folder.path().toString());
    return builder.start();
  }

  /** Ends all processes and removes groups and state. */
  static void end(ClusterFolder folder) throws IOException {
    new ClusterProcesses(folder.path()).end();
    for (Path group : Cgroups.here().named(folder.groupPrefix())) {
      Cgroups.remove(group);
    }
    folder.deleteState();
  }

  private void endAfterFailure() {
    synchronized (this) {
      isEnding = true;
    }
    try {
      end(folder);
    } catch (IOException | ScriptFailure failure) {
      System.err.println(failure.getMessage());
    }
  }

  /** The failure, after the end of a log on stderr. */
  synchronized ScriptFailure failure(String reason, String log) throws IOException {
    if (isEnding) {
      return interrupted();
    }
    System.err.println("--- the end of " + folder.log(log));
    List<String> lines = Files.readAllLines(folder.log(log));
    lines.subList(Math.max(0, lines.size() - 20), lines.size()).forEach(System.err::println);
    return new ScriptFailure("Cannot start the cluster: " + reason + ".");
  }

  private static ScriptFailure interrupted() {
    return new ScriptFailure("Cannot start the cluster: interrupted.");
  }
}
