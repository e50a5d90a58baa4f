package io.sparkata.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Command lines of what does not run in this JVM: the project's scripts, and other JVMs. */
public final class Launch {
  private static final Pattern SPARK_CORE = Pattern.compile("spark-core_[0-9.]+-(.+)\\.jar");

  private Launch() {}

  /** The Spark home: SPARK_HOME, else one that is assembled from Maven. */
  public static Path sparkHome() {
    return Path.of(output(new Program(script("ata", "--spark-home"))));
  }

  /** The version of the Spark there, by the name of a jar. */
  public static String sparkVersion() throws IOException {
    Path home = sparkHome();
    try (Stream<Path> jars = Files.list(home.resolve("jars"))) {
      return jars.map(jar -> SPARK_CORE.matcher(jar.getFileName().toString()))
          .filter(Matcher::matches)
          .map(core -> core.group(1))
          .findFirst()
          .orElseThrow(() -> new RunFailure("Cannot find Spark in " + home + "/jars."));
    }
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

  /** A command line as a shell takes it; words that it would change are quoted. */
  public static String shellLine(List<String> words) {
    return String.join(" ", words.stream().map(Launch::quoted).toList());
  }

  private static String quoted(String word) {
    return word.matches("[\\w./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** What a program prints on stdout. Fails unless it exits with 0; it has then said why. */
  public static String output(Program program) {
    StringBuilder text = new StringBuilder();
    int status = program.lines(line -> text.append(line).append('\n')).run();
    if (status != 0) {
      String name = Path.of(program.command().get(0)).getFileName().toString();
      throw new RunFailure("Cannot run %s: exit code %d, see above.".formatted(name, status));
    }
    return text.toString().strip();
  }
}
