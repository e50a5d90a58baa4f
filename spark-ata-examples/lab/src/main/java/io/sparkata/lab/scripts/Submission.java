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

/**
 * What scripts/submit adds to a command line of spark-submit: the plugin, and what a cluster of
 * scripts/cluster needs. Of an option that is given twice spark-submit takes the last value. So
 * what stands before the caller's options gives way to them, and what stands after them holds.
 * Spark itself finds fault with the command line.
 */
public final class Submission {
  private static final String PLUGIN = "io.sparkata.AtaPlugin";
  private static final String VECTORS = "--add-modules=jdk.incubator.vector";
  private static final String LOCAL_MASTER = "spark://127.0.0.1:";

  /** Options without a value. */
  private static final String SWITCHES =
      "-v|--verbose|--version|--supervise|--load-spark-defaults|--usage-error|-h|--help";

  private final Map<String, String> environment;
  private final Path target;
  private final List<String> options;
  private final List<String> application;

  /** The last value of each option, and of each key of --conf; the rest from the defaults file. */
  private final Map<String, String> given = new HashMap<>();

  /** Environment variables for spark-submit, found by {@link #words}. */
  final Map<String, String> variables = new LinkedHashMap<>();

  /**
   * Splits a command line as spark-submit does, and reads the file of --properties-file, else
   * spark-defaults.conf.
   */
  Submission(Map<String, String> environment, Path sparkConf, List<String> line)
      throws IOException {
    this.environment = environment;
    target = Path.of(environment.get("ATA_ROOT"), "target");
    int next = 0;
    while (next < line.size() && line.get(next).startsWith("-")) {
      String[] parts = line.get(next++).split("=", 2);
      boolean isApart = parts.length == 1 && !parts[0].matches(SWITCHES) && next < line.size();
      String value = isApart ? line.get(next++) : parts[parts.length - 1];
      given.put(parts[0], value);
      if (parts[0].matches("--conf|-c")) {
        String[] setting = value.split("=", 2);
        given.put(setting[0], setting[setting.length - 1]);
      }
    }
    options = line.subList(0, next);
    application = line.subList(next, line.size());
    String named = given.get("--properties-file");
    Path file = named == null ? sparkConf.resolve("spark-defaults.conf") : Path.of(named);
    if (Files.isRegularFile(file)) {
      Properties defaults = new Properties(); // as Spark reads it
      try (Reader in = Files.newBufferedReader(file)) {
        defaults.load(in);
      }
      defaults.forEach((key, value) -> given.putIfAbsent((String) key, ((String) value).strip()));
    }
  }

  /**
   * Prints the variables to set, an empty word, and the arguments for spark-submit; NUL ends each.
   * Exits with 1 after a failure.
   *
   * @param args Spark home, its conf folder, plugin jar, then the caller's command line
   */
  public static void main(String[] args) throws IOException {
    List<String> line = List.of(args).subList(3, args.length);
    try {
      Submission submission = new Submission(System.getenv(), Path.of(args[1]), line);
      List<String> words = submission.words(Path.of(args[0]), args[2]);
      submission.variables.forEach((name, value) -> System.out.print(name + "=" + value + "\0"));
      System.out.print("\0");
      words.forEach(word -> System.out.print(word + "\0"));
    } catch (IllegalStateException error) {
      System.err.println(error.getMessage());
      System.exit(1);
    }
  }

  /**
   * Arguments for spark-submit: the caller's alone where they name no application.
   *
   * @throws IllegalStateException if something that it needs is not there
   */
  List<String> words(Path sparkHome, String pluginJar) throws IOException {
    if (application.isEmpty()) {
      return options;
    }
    if (application.get(0).endsWith(".py") && !Files.isDirectory(sparkHome.resolve("python"))) {
      throw new IllegalStateException(
          ("Cannot run %s: the Spark in %s has no Python."
                  + " Set SPARK_HOME=<an unpacked Spark, or the folder of the package pyspark>.")
              .formatted(application.get(0), sparkHome));
    }
    List<String> words = new ArrayList<>(yarnSettings());
    addSecret();
    words.addAll(options);
    String jars = given.getOrDefault("--jars", setting("spark.jars"));
    words.addAll(List.of("--jars", join(pluginJar, ",", jars)));
    String plugins = setting("spark.plugins");
    boolean hasPlugin = List.of(plugins.split(",", -1)).contains(PLUGIN);
    plugins = hasPlugin ? plugins : join(plugins, ",", PLUGIN);
    String java = setting("spark.executor.defaultJavaOptions");
    java = List.of(java.split(" ", -1)).contains(VECTORS) ? java : join(VECTORS, " ", java);
    words.addAll(List.of("--conf", "spark.plugins=" + plugins));
    words.addAll(List.of("--conf", "spark.executor.defaultJavaOptions=" + java));
    words.addAll(application);
    return words;
  }

  private static String join(String first, String separator, String second) {
    return first + (first.isEmpty() || second.isEmpty() ? "" : separator) + second;
  }

  private String setting(String key) {
    return given.getOrDefault(key, "");
  }

  /**
   * Settings for --master yarn, which a running cluster of scripts/cluster has in the folder of
   * YARN's configuration: HADOOP_CONF_DIR or YARN_CONF_DIR, else that of the cluster in target.
   */
  private List<String> yarnSettings() throws IOException {
    String named =
        environment.getOrDefault("HADOOP_CONF_DIR", environment.getOrDefault("YARN_CONF_DIR", ""));
    Path conf = named.isEmpty() ? target.resolve("yarn/conf") : Path.of(named).toAbsolutePath();
    Path settings = conf.resolve("spark-yarn.conf");
    boolean isRunning = Files.exists(settings) && Files.exists(conf.resolveSibling("master-url"));
    if (!setting("--master").equals("yarn") || !isRunning) {
      return List.of();
    }
    if (named.isEmpty()) {
      variables.put("HADOOP_CONF_DIR", conf.toString());
    }
    return Files.readAllLines(settings).stream().map(setting -> "--conf=" + setting).toList();
  }

  /**
   * For a master of scripts/cluster: JVM options with its secret. A file of another user could hold
   * any JVM options.
   */
  private void addSecret() throws IOException {
    String port = setting("--master").replace(LOCAL_MASTER, "");
    Path file = target.resolve("masters").resolve(port).resolve("secret.args");
    if (port.matches("[0-9]+")
        && Files.exists(file)
        && Files.getOwner(file).equals(Files.getOwner(Path.of("/proc/self")))) {
      String options = environment.getOrDefault("ATA_JAVA_OPTIONS", "");
      variables.put("JDK_JAVA_OPTIONS", join(options, " ", "\"@" + file.toRealPath() + "\""));
    }
  }
}
