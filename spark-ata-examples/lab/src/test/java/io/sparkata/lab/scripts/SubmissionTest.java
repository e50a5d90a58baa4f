package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmissionTest {
  private static final String OPTIONS = "spark.executor.defaultJavaOptions=";
  private static final String VECTORS = "--add-modules=jdk.incubator.vector";

  @TempDir private Path folder;

  private Path home;
  private Path conf;
  private String app;
  private final Map<String, String> environment = new HashMap<>();
  private Submission submission;

  @BeforeEach
  void layOutSpark() throws IOException {
    home = Files.createDirectories(folder.resolve("home"));
    conf = Files.createDirectories(folder.resolve("conf"));
    app = Files.createFile(folder.resolve("app.jar")).toString();
  }

  @Test
  void commandLine_nothingIsSet_hasOursBeforeTheCallers() throws IOException {
    assertThat(submit("--class", "Main", app, "x"))
        .containsExactly(
            "--jars",
            "ata.jar",
            "--conf",
            "spark.plugins=io.sparkata.AtaPlugin",
            "--conf",
            OPTIONS + VECTORS,
            "--class",
            "Main",
            app,
            "x");
    assertThat(submission.addedEnvironment()).isEmpty();
  }

  @Test
  void commandLine_callersValues_joinOurs() throws IOException {
    assertThat(
            submit("--jars=a.jar", "-c", "spark.plugins=my.Plugin", "--conf", OPTIONS + "-Da", app))
        .startsWith(
            "--jars",
            "ata.jar,a.jar",
            "--conf",
            "spark.plugins=my.Plugin,io.sparkata.AtaPlugin",
            "--conf",
            OPTIONS + VECTORS + " -Da",
            app);
  }

  @Test
  void commandLine_oursAreSetAlready_areNotRepeated() throws IOException {
    String plugins = "spark.plugins=io.sparkata.AtaPlugin,my.Plugin";
    String options = OPTIONS + "-Da " + VECTORS;
    assertThat(submit("--conf", plugins, "--conf", options, app)).contains(plugins, options);
  }

  @Test
  void commandLine_defaultsFile_countsWhereTheCallerIsSilent() throws IOException {
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
    assertThat(submit(app))
        .startsWith(
            "--jars",
            "ata.jar,d1.jar,d2.jar",
            "--conf",
            "spark.plugins=default.Plugin,io.sparkata.AtaPlugin",
            "--conf",
            OPTIONS + VECTORS + " -Dd=1 -De");
    assertThat(submit("--conf", "spark.plugins=my.Plugin", "--conf", "spark.jars=c.jar", app))
        .contains("ata.jar,c.jar", "spark.plugins=my.Plugin,io.sparkata.AtaPlugin");
    assertThat(submit("--jars", "j.jar", "--conf", "spark.jars=c.jar", app))
        .contains("ata.jar,j.jar");
  }

  @Test
  void commandLine_propertiesFile_replacesTheDefaultsFile() throws IOException {
    Files.writeString(conf.resolve("spark-defaults.conf"), "spark.jars d.jar\n");
    Path file = Files.writeString(folder.resolve("mine.conf"), "spark.jars m.jar\n");
    assertThat(submit("--properties-file", file.toString(), app))
        .contains("ata.jar,m.jar", "--properties-file", file.toString());
    assertThat(submit("--properties-file", folder + "/missing", app)).contains("ata.jar");
  }

  @Test
  void commandLine_pythonWithoutPythonInSpark_saysWhatToSet() throws IOException {
    Path script = Files.createFile(folder.resolve("app.py"));
    assertThatThrownBy(() -> submit(script.toString()))
        .hasMessage(
            "Cannot run "
                + script
                + ": the Spark in "
                + home
                + " has no Python."
                + " Set SPARK_HOME=<an unpacked Spark, or the folder of the package pyspark>.");
    Files.createDirectory(home.resolve("python"));
    assertThat(submit(script.toString())).endsWith(script.toString());
  }

  @Test
  void commandLine_yarnWithoutConfiguration_takesTheClusterOfScriptsCluster() throws IOException {
    Path yarn = yarn(folder.resolve("target/yarn"));
    assertThat(submit("--master", "yarn", app))
        .startsWith("--conf", "spark.yarn.jars=local:/a/*", "--conf", "spark.x=y", "--jars");
    assertThat(submission.addedEnvironment())
        .containsExactly(Map.entry("HADOOP_CONF_DIR", yarn + ""));
    assertThat(submit("--master", "local", app)).startsWith("--jars");
    assertThat(submission.addedEnvironment()).isEmpty();
  }

  @Test
  void commandLine_yarnWithConfiguration_addsSettingsOfOurClustersOnly() throws IOException {
    environment.put("YARN_CONF_DIR", yarn(folder.resolve("mine")).toString());
    assertThat(submit("--master=yarn", app)).startsWith("--conf", "spark.yarn.jars=local:/a/*");
    assertThat(submission.addedEnvironment()).isEmpty();
    environment.put("HADOOP_CONF_DIR", folder + "/another");
    assertThat(submit("--master=yarn", app)).startsWith("--jars");
  }

  @Test
  void commandLine_yarnDoesNotRun_saysHowToStartIt() {
    assertThatThrownBy(() -> submit("--master", "yarn", app))
        .hasMessage(
            "Cannot find YARN: no cluster runs in "
                + folder.resolve("target/yarn")
                + ". Start one: scripts/cluster start --manager yarn\n"
                + "Or set HADOOP_CONF_DIR=<the configuration of another YARN>.");
  }

  @Test
  void commandLine_masterOfTheCaller_hasItsSecretAfterTheCallersOptions() throws IOException {
    Path secret = master("17077");
    submit("--master", "spark://127.0.0.1:17077", app);
    assertThat(submission.addedEnvironment())
        .containsExactly(Map.entry("JDK_JAVA_OPTIONS", "\"@" + secret + "\""));
    environment.put("ATA_JAVA_OPTIONS", "-Da=b");
    submit("--master", "spark://127.0.0.1:17077", app);
    assertThat(submission.addedEnvironment())
        .containsExactly(Map.entry("JDK_JAVA_OPTIONS", "-Da=b \"@" + secret + "\""));
  }

  @Test
  void commandLine_otherMaster_hasNoSecret() throws IOException {
    master("17077");
    for (String master : List.of("spark://127.0.0.1:1707", "spark://there:17077", "local")) {
      submit("--master", master, app);
      assertThat(submission.addedEnvironment()).as(master).isEmpty();
    }
  }

  private List<String> submit(String... line) throws IOException {
    submission =
        new Submission(
            SubmitArguments.parse(List.of(line)),
            new Submission.Installation(folder, home, conf, "ata.jar"),
            environment);
    Path processes = Files.createDirectories(folder.resolve("proc"));
    return submission.commandLine(new ClusterSecret(processes, Caller.current()::owns));
  }

  private static Path yarn(Path cluster) throws IOException {
    Path conf = Files.createDirectories(cluster.resolve("conf"));
    Files.writeString(conf.resolve("spark-yarn.conf"), "spark.yarn.jars=local:/a/*\nspark.x=y\n");
    Files.writeString(cluster.resolve("master-url"), "yarn\n");
    return conf;
  }

  private Path master(String port) throws IOException {
    Path process = Files.createDirectories(folder.resolve("proc/7"));
    String main = "org.apache.spark.deploy.master.Master";
    Files.writeString(process.resolve("cmdline"), "java\0" + main + "\0" + port + "\0");
    Files.writeString(process.resolve("environ"), "ATA_CLUSTER_DIR=" + folder + "\0");
    return Files.createFile(folder.resolve("secret.args"));
  }
}
