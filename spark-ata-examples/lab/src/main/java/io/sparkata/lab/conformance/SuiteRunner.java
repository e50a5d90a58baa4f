package io.sparkata.lab.conformance;

import io.sparkata.lab.Folders;
import io.sparkata.lab.Launch;
import io.sparkata.lab.Project;
import io.sparkata.lab.cluster.Program;
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

  /** What our own tests bring along. */
  private static final Pattern TEST_LIBRARIES =
      Pattern.compile(
          "/(spark-testing-base|jqwik|archunit|jmh|junit|assertj|awaitility)[^/]*\\.jar$");

  /** Builds the jars for a profile's Scala, and has Maven fetch its suites. */
  static SuiteRunner prepare(String profile, Path folder) {
    String pluginJar = ata(profile, "--plugin-jar");
    String classPath =
        ata(
            profile,
            "--test-class-path",
            "spark-ata/plugin",
            "-Pconformance",
            "-Dmaven.test.skip=true");
    return new SuiteRunner(profile, withoutOurs(classPath, Project.root()), pluginJar, folder);
  }

  private static String ata(String profile, String... arguments) {
    return Launch.output(
        new Program(Launch.script("ata", arguments))
            .without("SPARK_HOME")
            .with("ATA_PROFILE", profile));
  }

  /** The entries of a class path that come neither from this project nor from its tests. */
  static List<String> withoutOurs(String classPath, Path root) {
    return Arrays.stream(classPath.split(File.pathSeparator))
        .filter(entry -> !entry.startsWith(root + "/"))
        .filter(entry -> !TEST_LIBRARIES.matcher(entry).find())
        .toList();
  }

  /**
   * Leaves {@code junit/} and the log {@code out.txt} in SIDE/SUITE. Failing tests are for the
   * report to judge; the exit status says no more than they do.
   *
   * @param settings of Spark, if routed
   */
  void run(PublishedSuite suite, boolean isRouted, List<String> settings) throws IOException {
    Path results = folder.resolve(isRouted ? "routed" : "stock").resolve(suite.name());
    Path home = results.resolve("home");
    Path temporary = results.resolve("tmp");
    Files.createDirectories(home.resolve("jars"));
    Files.createDirectories(temporary);
    List<String> entries = new ArrayList<>(classPath);
    List<String> options = new ArrayList<>(Project.sparkJvmOptions());
    if (isRouted) {
      entries.add(pluginJar);
      settings.forEach(setting -> options.add("-D" + setting));
    }
    String path = String.join(File.pathSeparator, entries);
    options.add("-Xmx3g");
    options.add("-Dlog4j2.configurationFile=" + Project.path("conf/log4j2.properties"));
    options.add("-Djava.io.tmpdir=" + temporary);
    options.add("-Dspark.test.home=" + home);
    options.add("-Dspark.executor.extraClassPath=" + path);
    options.add("-Dspark.ui.enabled=false");
    String suitesJar =
        classPath.stream()
            .filter(entry -> entry.matches(".*/spark-mllib_[^/]*-tests\\.jar"))
            .findFirst()
            .orElse("");
    List<String> arguments = new ArrayList<>(List.of("-R", suitesJar, "-s", suite.className()));
    arguments.addAll(List.of("-oW", "-u", results.resolve("junit").toString()));
    new Program(Launch.java(options, path, "org.scalatest.tools.Runner", arguments))
        .in(results)
        .with("SPARK_HOME", home.toString())
        .with("SPARK_LOCAL_IP", "127.0.0.1")
        .with("SPARK_SCALA_VERSION", profile.endsWith("scala-2.12") ? "2.12" : "2.13")
        .allTo(results.resolve("out.txt"))
        .run();
    Folders.delete(temporary);
    Folders.delete(home);
  }
}
