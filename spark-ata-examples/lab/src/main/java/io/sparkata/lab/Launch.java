package io.sparkata.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts what does not run in this JVM: the project's scripts, and JVMs with Spark's jars. Children
 * end with this JVM; their progress goes to its stderr.
 */
public final class Launch {
  private Launch() {}

  /** The Spark home: SPARK_HOME, else one that is assembled from Maven. */
  public static Path sparkHome() {
    return Path.of(output(script("ata", "--spark-home")));
  }

  /** The tools, the plugin and all jars of a Spark home. */
  public static String sparkClassPath(Path sparkHome) {
    return Project.labJar()
        + File.pathSeparator
        + Project.pluginJar()
        + File.pathSeparator
        + sparkHome.resolve("jars")
        + "/*";
  }

  /** Compiled classes and tests of a module, and all that they need. Runs Maven. */
  public static String testClassPath(String module) {
    return output(script("ata", "--test-class-path", module));
  }

  /** The command line of a script of this project. */
  public static List<String> script(String name, String... arguments) {
    List<String> command = new ArrayList<>(List.of(Project.path("scripts/" + name).toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** The command line of a JVM of the same Java. */
  public static List<String> java(
      List<String> options, String classPath, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, mainClass));
    command.addAll(arguments);
    return command;
  }

  /** Runs a command with this JVM's own streams; its exit status. */
  public static int run(List<String> command) {
    return run(new ProcessBuilder(command).inheritIO());
  }

  /** Runs a prepared process; its exit status. */
  public static int run(ProcessBuilder builder) {
    Process process = start(builder);
    return await(process);
  }

  /** What a command prints on stdout. Fails unless it exits with 0; it has then said why. */
  public static String output(List<String> command) {
    Process process =
        start(
            new ProcessBuilder(command)
                .redirectInput(Redirect.INHERIT)
                .redirectError(Redirect.INHERIT));
    String text;
    try {
      text = new String(process.getInputStream().readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw failure(command, e.toString());
    }
    int status = await(process);
    if (status != 0) {
      throw failure(command, "exit code " + status + ", see above");
    }
    return text.strip();
  }

  private static Process start(ProcessBuilder builder) {
    try {
      Process process = builder.start();
      Thread ending = new Thread(process::destroy);
      Runtime.getRuntime().addShutdownHook(ending);
      return process;
    } catch (IOException e) {
      throw failure(builder.command(), String.valueOf(e.getMessage()));
    }
  }

  private static int await(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new RunFailure("Cannot go on: interrupted.");
    }
  }

  private static RunFailure failure(List<String> command, String reason) {
    String name = Path.of(command.get(0)).getFileName().toString();
    return new RunFailure("Cannot run %s: %s.".formatted(name, reason));
  }
}
