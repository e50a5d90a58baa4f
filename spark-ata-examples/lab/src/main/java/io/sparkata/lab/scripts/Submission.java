package io.sparkata.lab.scripts;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What scripts/submit adds to a command line of spark-submit: the plugin, and what a cluster of
 * scripts/cluster needs. Of an option that is given twice spark-submit takes the last value. So
 * what stands before the caller's options gives way to them, and what stands after them holds.
 */
public final class Submission {
  private static final String JARS = "spark.jars";
  private static final String PLUGINS = "spark.plugins";
  private static final String PLUGIN = "io.sparkata.AtaPlugin";
  private static final String JAVA_OPTIONS = "spark.executor.defaultJavaOptions";
  private static final String VECTORS = "--add-modules=jdk.incubator.vector";
  private static final Pattern LOCAL_MASTER = Pattern.compile("spark://127\\.0\\.0\\.1:([0-9]+)");

  /** Options without a value. */
  private static final String SWITCHES =
      "-v|--verbose|--version|--supervise|--load-spark-defaults|--usage-error|-h|--help";

  /** Options with which spark-submit runs no application. */
  private static final String WITHOUT_APPLICATION =
      "--version|--usage-error|-h|--help|--kill|--status";

  private final Map<String, String> environment;
  private final List<String> options;
  private final List<String> application;

  /** The last value of each option, and of each key of --conf. */
  private final Map<String, String> given = new HashMap<>();

  /** Environment variables for spark-submit. */
  private final Map<String, String> variables = new LinkedHashMap<>();

  /**
   * Splits a command line as spark-submit does.
   *
   * @throws IllegalArgumentException if the last option lacks its value
   */
  Submission(Map<String, String> environment, List<String> line) {
    this.environment = environment;
    int next = 0;
    while (next < line.size() && line.get(next).startsWith("-")) {
      String[] parts = line.get(next++).split("=", 2);
      String value = parts.length == 2 ? parts[1] : "";
      if (parts.length == 1 && !parts[0].matches(SWITCHES)) {
        if (next == line.size()) {
          throw new IllegalArgumentException(
              "Invalid option: " + parts[0] + " (its value is missing)");
        }
        value = line.get(next++);
      }
      given.put(parts[0], value);
      if (parts[0].equals("--conf") || parts[0].equals("-c")) {
        String[] setting = value.split("=", 2);
        given.put(setting[0], setting.length == 2 ? setting[1] : "");
      }
    }
    options = line.subList(0, next);
    application = line.subList(next, line.size());
  }

  /**
   * Prints the variables to set, an empty word, and the arguments for spark-submit; NUL ends each.
   * Exits with 2 on bad arguments, with 1 after another failure.
   *
   * @param args Spark home, its conf folder, plugin jar, then the caller's command line
   */
  public static void main(String[] args) throws IOException {
    List<String> line = List.of(args);
    try {
      Submission submission = new Submission(System.getenv(), line.subList(3, line.size()));
      List<String> words = submission.words(Path.of(args[0]), Path.of(args[1]), args[2]);
      submission.variables.forEach((name, value) -> System.out.print(name + "=" + value + "\0"));
      System.out.print("\0");
      words.forEach(word -> System.out.print(word + "\0"));
    } catch (IllegalArgumentException error) {
      System.err.println(error.getMessage() + "\nSee: scripts/submit --help");
      System.exit(2);
    } catch (IllegalStateException error) {
      System.err.println(error.getMessage());
      System.exit(1);
    }
  }

  /**
   * Arguments for spark-submit.
   *
   * @throws IllegalArgumentException if the command line is wrong
   * @throws IllegalStateException if something that it needs is not there
   */
  List<String> words(Path sparkHome, Path sparkConf, String pluginJar) throws IOException {
    requireApplication(sparkHome);
    List<String> words = new ArrayList<>(yarnSettings());
    addSecret();
    Properties defaults = defaults(sparkConf);
    words.addAll(options);
    String jars = given.getOrDefault("--jars", setting(JARS, defaults));
    words.addAll(List.of("--jars", join(pluginJar, ",", jars)));
    String plugins = setting(PLUGINS, defaults);
    boolean hasPlugin = List.of(plugins.split(",", -1)).contains(PLUGIN);
    addSetting(words, PLUGINS, hasPlugin ? plugins : join(plugins, ",", PLUGIN));
    String java = setting(JAVA_OPTIONS, defaults);
    boolean hasVectors = List.of(java.split(" ", -1)).contains(VECTORS);
    addSetting(words, JAVA_OPTIONS, hasVectors ? java : join(VECTORS, " ", java));
    words.addAll(application);
    return words;
  }

  /** Environment variables for spark-submit that {@link #words} has found. */
  Map<String, String> variables() {
    return variables;
  }

  private static String join(String first, String separator, String second) {
    return first + (first.isEmpty() || second.isEmpty() ? "" : separator) + second;
  }

  private static void addSetting(List<String> words, String key, String value) {
    words.addAll(List.of("--conf", key + "=" + value));
  }

  /** As the caller's options have it, else the defaults file, else empty. */
  private String setting(String key, Properties defaults) {
    return given.getOrDefault(key, defaults.getProperty(key, "").strip());
  }

  /** Of --properties-file, else of spark-defaults.conf; read as Spark reads it. */
  private Properties defaults(Path sparkConf) throws IOException {
    String named = given.get("--properties-file");
    Path file = named == null ? sparkConf.resolve("spark-defaults.conf") : Path.of(named);
    Properties properties = new Properties();
    if (Files.isRegularFile(file)) {
      try (Reader in = Files.newBufferedReader(file)) {
        properties.load(in);
      }
    }
    return properties;
  }

  /** Fails if there is no application, or if its file or Python is to be here and is not. */
  private void requireApplication(Path sparkHome) {
    if (application.isEmpty()) {
      if (given.keySet().stream().noneMatch(name -> name.matches(WITHOUT_APPLICATION))) {
        throw new IllegalArgumentException(
            "Invalid command line: no application (APP.jar or APP.py, after the options)");
      }
      return;
    }
    String file = application.get(0);
    boolean isFile = file.matches("[^:]*\\.(jar|py)");
    boolean isHere = !given.getOrDefault("--deploy-mode", "client").equals("cluster");
    if (isFile && isHere && !Files.isRegularFile(Path.of(file))) {
      throw new IllegalStateException("Cannot run " + file + ": there is no such file.");
    }
    if (file.endsWith(".py") && !Files.isDirectory(sparkHome.resolve("python"))) {
      throw new IllegalStateException(
          ("Cannot run %s: the Spark in %s has no Python."
                  + " Set SPARK_HOME=<an unpacked Spark, or the folder of the package pyspark>.")
              .formatted(file, sparkHome));
    }
  }

  /**
   * Settings for --master yarn, which scripts/cluster has written into the folder of YARN's
   * configuration: HADOOP_CONF_DIR or YARN_CONF_DIR, else that of its own cluster.
   */
  private List<String> yarnSettings() throws IOException {
    String named =
        environment.getOrDefault("HADOOP_CONF_DIR", environment.getOrDefault("YARN_CONF_DIR", ""));
    Path conf = named.isEmpty() ? target().resolve("yarn/conf") : Path.of(named);
    Path settings = conf.resolve("spark-yarn.conf");
    boolean isOurs = named.isEmpty() || Files.isRegularFile(settings);
    if (!given.getOrDefault("--master", "").equals("yarn") || !isOurs) {
      return List.of();
    }
    Path folder = conf.toAbsolutePath().getParent();
    if (!Files.isRegularFile(folder.resolve("master-url"))) {
      throw new IllegalStateException(
          ("Cannot find YARN: no cluster runs in %s. Start one: scripts/cluster start --manager"
                  + " yarn\nOr set HADOOP_CONF_DIR=<the configuration of another YARN>.")
              .formatted(folder));
    }
    if (named.isEmpty()) {
      variables.put("HADOOP_CONF_DIR", conf.toString());
    }
    List<String> words = new ArrayList<>();
    for (String setting : Files.readAllLines(settings)) {
      words.addAll(List.of("--conf", setting));
    }
    return words;
  }

  /**
   * For a master of scripts/cluster: JVM options with its secret. A file of another user could hold
   * any JVM options.
   */
  private void addSecret() throws IOException {
    Matcher master = LOCAL_MASTER.matcher(given.getOrDefault("--master", ""));
    if (master.matches()) {
      Path file = target().resolve("masters").resolve(master.group(1)).resolve("secret.args");
      if (Files.exists(file)
          && Files.getOwner(file).equals(Files.getOwner(Path.of("/proc/self")))) {
        String options = environment.getOrDefault("ATA_JAVA_OPTIONS", "");
        variables.put("JDK_JAVA_OPTIONS", join(options, " ", "\"@" + file.toRealPath() + "\""));
      }
    }
  }

  private Path target() {
    return Path.of(environment.get("ATA_ROOT"), "target");
  }
}
