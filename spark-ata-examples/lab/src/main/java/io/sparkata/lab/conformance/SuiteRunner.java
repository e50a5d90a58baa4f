package io.sparkata.lab.conformance;

import io.sparkata.lab.Folders;
import io.sparkata.lab.Launch;
import io.sparkata.lab.Program;
import io.sparkata.lab.Project;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs published suites of one Spark, each in a JVM of its own.
 *
 * @param classPath what Maven resolved, without this project's classes and test libraries
 * @param pluginJar for the Scala of this Spark
 * @param folder for the results
 */
record SuiteRunner(String profile, List<String> classPath, String pluginJar, Path folder) {

  private static final String SUITES = ".*/spark-mllib_[^/]*-tests\\.jar";

  /** What our own tests bring along. */
  private static final Pattern TEST_LIBRARIES =
      Pattern.compile(
          "/(spark-testing-base|jqwik|archunit|jmh|junit|assertj|awaitility)[^/]*\\.jar$");

  /** Builds the jars for a profile's Scala, and has Maven fetch its suites. */
  static SuiteRunner prepare(String profile) throws IOException {
    Path folder = Project.path("target/conformance").resolve(profile);
    Folders.empty(folder);
    String pluginJar = ata(profile, "--plugin-jar");
    String maven = "--test-class-path spark-ata/plugin -Pconformance -Dmaven.test.skip=true";
    List<String> classPath = withoutOurs(ata(profile, maven.split(" ", -1)), Project.root());
    return new SuiteRunner(profile, classPath, pluginJar, folder);
  }

  private static String ata(String profile, String... arguments) {
    Program script = new Program(Launch.script("ata", arguments));
    return Launch.output(script.without("SPARK_HOME").with("ATA_PROFILE", profile));
  }

  /** The entries of a class path that come neither from this project nor from its tests. */
  static List<String> withoutOurs(String classPath, Path root) {
    return Arrays.stream(classPath.split(File.pathSeparator))
        .filter(entry -> !entry.startsWith(root + "/"))
        .filter(entry -> !TEST_LIBRARIES.matcher(entry).find())
        .toList();
  }

  /**
   * Leaves ScalaTest's {@code report.txt} and the log {@code out.txt} in SIDE/SUITE. The exit
   * status says no more than they do.
   *
   * @param settings of Spark with Spark ATA; none for stock Spark
   */
  SuiteResult run(PublishedSuite suite, List<String> settings) throws IOException {
    String side = settings.isEmpty() ? "stock" : "routed";
    Path results = folder.resolve(side).resolve(suite.name());
    Path home = results.resolve("home");
    Path temporary = home.resolve("tmp");
    Files.createDirectories(home.resolve("jars"));
    Files.createDirectories(temporary);
    String plugin = settings.isEmpty() ? "" : File.pathSeparator + pluginJar;
    String path = String.join(File.pathSeparator, classPath) + plugin;
    List<String> options = new ArrayList<>(Project.sparkJvmOptions());
    options.add("-Xmx3g");
    options.add("-Dlog4j2.configurationFile=" + Project.path("conf/log4j2.properties"));
    options.add("-Djava.io.tmpdir=" + temporary);
    options.add("-Dspark.test.home=" + home);
    options.add("-Dspark.executor.extraClassPath=" + path);
    options.add("-Dspark.ui.enabled=false");
    settings.forEach(setting -> options.add("-D" + setting));
    String suites =
        String.join("", classPath.stream().filter(jar -> jar.matches(SUITES)).limit(1).toList());
    Path report = results.resolve("report.txt");
    Path log = results.resolve("out.txt");
    List<String> arguments =
        List.of("-R", suites, "-s", suite.className(), "-oW", "-fW", report.toString());
    new Program(Launch.java(options, path, "org.scalatest.tools.Runner", arguments))
        .in(results)
        .with("SPARK_HOME", home.toString())
        .with("SPARK_LOCAL_IP", "127.0.0.1")
        .with("SPARK_SCALA_VERSION", profile.endsWith("scala-2.12") ? "2.12" : "2.13")
        .allTo(log)
        .run();
    Folders.delete(home);
    return SuiteResult.of(
        Files.exists(report) ? Files.readString(report) : "", Files.readString(log));
  }
}
