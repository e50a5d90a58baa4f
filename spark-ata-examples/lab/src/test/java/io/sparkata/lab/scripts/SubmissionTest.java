package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubmissionTest {
  private static final String OPTIONS = "spark.executor.defaultJavaOptions=";
  private static final String VECTORS = "--add-modules=jdk.incubator.vector";

  @TempDir private Path folder;

  private Path conf;
  private String app;
  private final Map<String, String> environment = new HashMap<>();
  private Map<String, String> variables;

  @BeforeEach
  void layOutSpark() throws IOException {
    conf = Files.createDirectories(folder.resolve("conf"));
    app = Files.createFile(folder.resolve("app.jar")).toString();
    environment.put("ATA_ROOT", folder.toString());
  }

  @Test
  void words_anyCommandLine_hasOursBetweenTheCallersAndTheApplication() throws IOException {
    String line = "--class Main -v --conf=a=b --supervise";
    String ours = "--jars ata.jar --conf spark.plugins=io.sparkata.AtaPlugin --conf ";
    assertThat(submit((line + " " + app + " --jars x").split(" ")))
        .containsExactly(
            (line + " " + ours + OPTIONS + VECTORS + " " + app + " --jars x").split(" "));
    assertThat(variables).isEmpty();
  }

  @Test
  void words_callersValues_joinOurs() throws IOException {
    assertThat(
            ours("--jars=x", "--jars=a.jar", "-c", "spark.plugins=my.P", "--conf", OPTIONS + "-Da"))
        .containsExactly(
            "ata.jar,a.jar",
            "spark.plugins=my.P,io.sparkata.AtaPlugin",
            OPTIONS + VECTORS + " -Da");
    String plugins = "spark.plugins=io.sparkata.AtaPlugin,my.P";
    String options = OPTIONS + "-Da " + VECTORS;
    assertThat(ours("--conf", plugins, "--conf=" + options))
        .containsExactly("ata.jar", plugins, options);
  }

  @Test
  void words_defaultsFile_countsWhereTheCallerIsSilent() throws IOException {
    Files.writeString(
        conf.resolve("spark-defaults.conf"),
        """
        # spark.plugins no.Plugin
        spark.plugins   old.Plugin
          spark.plugins = default.Plugin \s
        spark.jars d1.jar,\\
          d2.jar
        spark.executor.defaultJavaOptions:-Dd=1 -De
        """);
    assertThat(ours())
        .containsExactly(
            "ata.jar,d1.jar,d2.jar",
            "spark.plugins=default.Plugin,io.sparkata.AtaPlugin",
            OPTIONS + VECTORS + " -Dd=1 -De");
    assertThat(ours("--conf", "spark.plugins=my.P", "--conf", "spark.jars=c.jar"))
        .startsWith("ata.jar,c.jar", "spark.plugins=my.P,io.sparkata.AtaPlugin");
    assertThat(ours("--jars", "j.jar", "--conf", "spark.jars=c.jar")).startsWith("ata.jar,j.jar");
    Path mine = Files.writeString(folder.resolve("mine.conf"), "spark.jars m.jar\n");
    assertThat(ours("--properties-file", mine.toString())).startsWith("ata.jar,m.jar");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "--status=driver-1", "--class Main --jars"})
  void words_noApplication_areTheCallers(String line) throws IOException {
    assertThat(submit(line.split(" "))).containsExactly(line.split(" "));
  }

  @Test
  void words_pythonWithoutPythonInSpark_saysWhatToSet() throws IOException {
    String script = Files.createFile(folder.resolve("app.py")).toString();
    assertThatThrownBy(() -> submit(script))
        .hasMessage(
            "Cannot run %s: the Spark in %s has no Python. Set SPARK_HOME=<an unpacked Spark, or"
                + " the folder of the package pyspark>.",
            script, folder);
    Files.createDirectory(folder.resolve("python"));
    assertThat(submit(script)).endsWith(script);
  }

  @Test
  void words_yarn_hasTheSettingsOfOurClustersOnly() throws IOException {
    assertThat(submit("--master", "yarn", app)).startsWith("--master", "yarn", "--jars");
    assertThat(variables).isEmpty();
    Path yarn = Files.createDirectories(folder.resolve("target/yarn/conf"));
    Files.writeString(yarn.resolve("spark-yarn.conf"), "spark.yarn.jars=local:/a/*\n");
    Files.writeString(yarn.resolveSibling("master-url"), "yarn\n");
    String setting = "--conf=spark.yarn.jars=local:/a/*";
    assertThat(submit("--master", "yarn", app)).startsWith(setting);
    assertThat(variables).containsExactly(Map.entry("HADOOP_CONF_DIR", yarn + ""));
    assertThat(submit("--master", "local", app)).doesNotContain(setting);
    environment.put("YARN_CONF_DIR", yarn.toString());
    assertThat(submit("--master=yarn", app)).startsWith(setting);
    assertThat(variables).isEmpty();
    environment.put("HADOOP_CONF_DIR", folder + "/another");
    assertThat(submit("--master=yarn", app)).startsWith("--master=yarn", "--jars");
  }

  @Test
  void words_masterOfTheCaller_hasItsSecretAfterTheCallersOptions() throws IOException {
    Path masters = Files.createDirectories(folder.resolve("target/masters"));
    Path cluster = Files.createDirectory(folder.resolve("cluster")).toRealPath();
    Path secret = Files.createFile(cluster.resolve("secret.args"));
    Files.createSymbolicLink(masters.resolve("17077"), cluster);
    environment.put("ATA_JAVA_OPTIONS", "-Da=b");
    submit("--master", "spark://127.0.0.1:17077", app);
    assertThat(variables)
        .containsExactly(Map.entry("JDK_JAVA_OPTIONS", "-Da=b \"@" + secret + "\""));
    for (String master : List.of("spark://127.0.0.1:1707", "spark://there:17077", "local")) {
      submit("--master", master, app);
      assertThat(variables).as(master).isEmpty();
    }
  }

  /** Options of the JVM in a file of another user would run with the caller's rights. */
  @Test
  void words_secretOfAnotherUser_isIgnored() throws IOException {
    Path masters = Files.createDirectories(folder.resolve("target/masters/17077"));
    Path secret = Files.createFile(masters.resolve("secret.args"));
    if (System.getProperty("user.name").equals("root")) { // only root can give a file away
      Files.setAttribute(secret, "unix:uid", 65_533);
    } else {
      Files.delete(secret);
      Files.createSymbolicLink(secret, Path.of("/etc/hostname"));
    }
    submit("--master", "spark://127.0.0.1:17077", app);
    assertThat(variables).isEmpty();
  }

  /** The values that scripts/submit sets, without the names of the options. */
  private List<String> ours(String... options) throws IOException {
    List<String> line = new ArrayList<>(List.of(options));
    line.add(app);
    List<String> words = submit(line.toArray(String[]::new));
    return List.of(
        words.get(options.length + 1),
        words.get(options.length + 3),
        words.get(options.length + 5));
  }

  private List<String> submit(String... line) throws IOException {
    Submission submission = new Submission(environment, conf, List.of(line));
    List<String> words = submission.words(folder, "ata.jar");
    variables = submission.variables;
    return words;
  }
}
