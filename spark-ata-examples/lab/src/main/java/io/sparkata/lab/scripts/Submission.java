package io.sparkata.lab.scripts;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What scripts/submit adds to a command line of spark-submit: the plugin, and what a cluster of
 * scripts/cluster needs. Values that the caller or the defaults file sets stay in force.
 */
final class Submission {
  private static final String PLUGIN = "io.sparkata.AtaPlugin";
  private static final String VECTORS = "--add-modules=jdk.incubator.vector";
  private static final String JVM_OPTIONS = "JDK_JAVA_OPTIONS";
  private static final Pattern LOCAL_MASTER = Pattern.compile("spark://127\\.0\\.0\\.1:([0-9]+)");

  private final SubmitArguments arguments;
  private final Installation installation;
  private final Map<String, String> environment;

  /** Environment variables for spark-submit, added to the caller's. */
  private final Map<String, String> added = new LinkedHashMap<>();

  /**
   * Where things are.
   *
   * @param project root of this project
   * @param sparkHome the Spark to submit with
   * @param sparkConf its conf folder
   * @param pluginJar the plugin
   */
  record Installation(Path project, Path sparkHome, Path sparkConf, String pluginJar) {}

  Submission(
      SubmitArguments arguments, Installation installation, Map<String, String> environment) {
    this.arguments = arguments;
    this.installation = installation;
    this.environment = environment;
  }

  /**
   * Prints the variables to set, an empty word, and the arguments for spark-submit; NUL ends each.
   *
   * @param args Spark home, its conf folder, plugin jar, then the caller's command line
   */
  static void print(List<String> args, Map<String, String> environment, PrintStream out)
      throws IOException {
    Installation installation =
        new Installation(
            Path.of(environment.get("ATA_ROOT")),
            Path.of(args.get(0)),
            Path.of(args.get(1)),
            args.get(2));
    SubmitArguments arguments = SubmitArguments.parse(args.subList(3, args.size()));
    Submission submission = new Submission(arguments, installation, environment);
    ClusterSecret secret = new ClusterSecret(Path.of("/proc"), Caller.current()::owns);
    List<String> words = submission.commandLine(secret);
    submission.added.forEach((name, value) -> out.print(name + "=" + value + "\0"));
    out.print("\0");
    words.forEach(word -> out.print(word + "\0"));
  }

  /** Arguments for spark-submit: ours first, since the caller's options are to stay in force. */
  List<String> commandLine(ClusterSecret secret) throws IOException {
    arguments.requireApplication();
    requirePython();
    List<String> words = new ArrayList<>();
    addYarn(words);
    addSecret(secret);
    Properties defaults = defaults();
    String jars =
        arguments.jars().isEmpty() ? setting(SubmitArguments.JARS, defaults) : arguments.jars();
    words.add("--jars");
    words.add(installation.pluginJar + (jars.isEmpty() ? "" : "," + jars));
    addSetting(
        words,
        SubmitArguments.PLUGINS,
        join(setting(SubmitArguments.PLUGINS, defaults), ",", PLUGIN));
    String options = setting(SubmitArguments.JAVA_OPTIONS, defaults);
    addSetting(
        words,
        SubmitArguments.JAVA_OPTIONS,
        List.of(options.split(" ", -1)).contains(VECTORS)
            ? options
            : (VECTORS + " " + options).trim());
    words.addAll(arguments.options());
    words.addAll(arguments.application());
    return words;
  }

  /** Environment variables for spark-submit that {@link #commandLine} has found. */
  Map<String, String> addedEnvironment() {
    return added;
  }

  private static String join(String list, String separator, String item) {
    if (List.of(list.split(separator, -1)).contains(item)) {
      return list;
    }
    return list.isEmpty() ? item : list + separator + item;
  }

  private static void addSetting(List<String> words, String key, String value) {
    words.add("--conf");
    words.add(key + "=" + value);
  }

  /** As the caller's options have it, else the defaults file, else empty. */
  private String setting(String key, Properties defaults) {
    return arguments.settings().getOrDefault(key, defaults.getProperty(key, "").trim());
  }

  /** Of --properties-file, else of spark-defaults.conf; read as Spark reads it. */
  private Properties defaults() throws IOException {
    Path file =
        arguments
            .propertiesFile()
            .map(Path::of)
            .orElse(installation.sparkConf.resolve("spark-defaults.conf"));
    Properties properties = new Properties();
    if (Files.isRegularFile(file)) {
      try (Reader in = Files.newBufferedReader(file)) {
        properties.load(in);
      }
    }
    return properties;
  }

  private void requirePython() {
    boolean isPython =
        !arguments.application().isEmpty() && arguments.application().get(0).endsWith(".py");
    if (isPython && !Files.isDirectory(installation.sparkHome.resolve("python"))) {
      throw new ScriptFailure(
          "Cannot run "
              + arguments.application().get(0)
              + ": the Spark in "
              + installation.sparkHome
              + " has no Python."
              + " Set SPARK_HOME=<an unpacked Spark, or the folder of the package pyspark>.");
    }
  }

  /**
   * For --master yarn: the cluster of scripts/cluster, unless HADOOP_CONF_DIR or YARN_CONF_DIR
   * names another. The settings that scripts/cluster has written into the folder of that
   * configuration are added.
   */
  private void addYarn(List<String> words) throws IOException {
    if (!arguments.option("--master").equals(Optional.of("yarn"))) {
      return;
    }
    String named = environment.getOrDefault("HADOOP_CONF_DIR", "");
    named = named.isEmpty() ? environment.getOrDefault("YARN_CONF_DIR", "") : named;
    Path conf = Path.of(named);
    if (named.isEmpty()) {
      conf = installation.project.resolve("target/yarn/conf");
      added.put("HADOOP_CONF_DIR", conf.toString());
    } else if (!Files.isRegularFile(conf.resolve(ClusterFolder.YARN_SETTINGS))) {
      return; // not a cluster of scripts/cluster
    }
    Path folder = conf.toAbsolutePath().getParent();
    if (!Files.isRegularFile(folder.resolve(ClusterFolder.MASTER_URL))) {
      throw new ScriptFailure(
          "Cannot find YARN: no cluster runs in "
              + folder
              + ". Start one: scripts/cluster start --manager yarn\n"
              + "Or set HADOOP_CONF_DIR=<the configuration of another YARN>.");
    }
    for (String line : Files.readAllLines(conf.resolve(ClusterFolder.YARN_SETTINGS))) {
      words.add("--conf");
      words.add(line);
    }
  }

  /** For a master of scripts/cluster: its secret, which the JVM takes from the environment. */
  private void addSecret(ClusterSecret secret) throws IOException {
    Matcher master = LOCAL_MASTER.matcher(arguments.option("--master").orElse(""));
    if (!master.matches()) {
      return;
    }
    for (Path file : secret.optionFiles(master.group(1))) {
      String before =
          added.getOrDefault(JVM_OPTIONS, environment.getOrDefault("ATA_JAVA_OPTIONS", ""));
      added.put(JVM_OPTIONS, (before + " \"@" + file + "\"").trim());
    }
  }
}
