package io.sparkata.lab.scripts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A command line of spark-submit, split as spark-submit splits it.
 *
 * @param options in their order, without --jars and without {@code settings}
 * @param application file and its arguments
 * @param jars value of the last --jars, empty if there is none
 * @param settings by key: those of --conf that scripts/submit adds to
 * @param propertiesFile of the last --properties-file
 */
record SubmitArguments(
    List<String> options,
    List<String> application,
    String jars,
    Map<String, String> settings,
    Optional<String> propertiesFile) {
  static final String PLUGINS = "spark.plugins";
  static final String JARS = "spark.jars";
  static final String JAVA_OPTIONS = "spark.executor.defaultJavaOptions";

  private static final Set<String> MERGED = Set.of(PLUGINS, JARS, JAVA_OPTIONS);

  /** Options without a value. */
  private static final Set<String> SWITCHES =
      Set.of(
          "-v",
          "--verbose",
          "--version",
          "--supervise",
          "--usage-error",
          "--load-spark-defaults",
          "-h",
          "--help");

  /** Options with which spark-submit runs no application. */
  private static final Set<String> WITHOUT_APPLICATION =
      Set.of("--version", "--usage-error", "-h", "--help", "--kill", "--status");

  /** An option whose value is missing stays in {@code options}. */
  static SubmitArguments parse(List<String> arguments) {
    List<String> options = new ArrayList<>();
    Map<String, String> settings = new HashMap<>();
    String jars = "";
    String properties = null;
    int next = 0;
    while (next < arguments.size() && arguments.get(next).startsWith("-")) {
      String argument = arguments.get(next++);
      List<String> words = new ArrayList<>(List.of(argument));
      String name = argument;
      String value = null;
      int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
      if (equals > 0) {
        name = argument.substring(0, equals);
        value = argument.substring(equals + 1);
      } else if (!SWITCHES.contains(argument) && next < arguments.size()) {
        value = arguments.get(next++);
        words.add(value);
      }
      boolean isSetting = name.equals("--conf") || name.equals("-c");
      if (name.equals("--jars") && value != null) {
        jars = value;
      } else if (isSetting && value != null && MERGED.contains(key(value))) {
        settings.put(key(value), value.substring(value.indexOf('=') + 1));
      } else {
        options.addAll(words);
      }
      if (name.equals("--properties-file")) {
        properties = value;
      }
    }
    List<String> application = List.copyOf(arguments.subList(next, arguments.size()));
    return new SubmitArguments(
        List.copyOf(options), application, jars, settings, Optional.ofNullable(properties));
  }

  private static String key(String setting) {
    return setting.contains("=") ? setting.substring(0, setting.indexOf('=')) : "";
  }

  /** The value of the last {@code --name value} or {@code --name=value}. */
  Optional<String> option(String name) {
    Optional<String> value = Optional.empty();
    for (int i = 0; i < options.size(); i++) {
      if (options.get(i).startsWith(name + "=")) {
        value = Optional.of(options.get(i).substring(name.length() + 1));
      } else if (options.get(i).equals(name) && i + 1 < options.size()) {
        value = Optional.of(options.get(i + 1));
      }
    }
    return value;
  }

  private void requireValue() {
    String last = options.isEmpty() ? "" : options.get(options.size() - 1);
    if (last.startsWith("-") && !last.contains("=") && !SWITCHES.contains(last)) {
      throw ScriptFailure.ofUsage("Invalid option: " + last + " (its value is missing)");
    }
  }

  /** Fails if there is no application, or if its file is to be on this machine and is not. */
  void requireApplication() {
    if (application.isEmpty()) {
      requireValue();
      if (options.stream().noneMatch(word -> WITHOUT_APPLICATION.contains(word.split("=", 2)[0]))) {
        throw ScriptFailure.ofUsage(
            "Invalid command line: no application (APP.jar or APP.py, after the options)");
      }
      return;
    }
    String file = application.get(0);
    boolean isFile = (file.endsWith(".jar") || file.endsWith(".py")) && !file.contains(":");
    boolean isHere = !option("--deploy-mode").orElse("client").equals("cluster");
    if (isFile && isHere && !Files.isRegularFile(Path.of(file))) {
      throw new ScriptFailure("Cannot run " + file + ": there is no such file.");
    }
  }
}
