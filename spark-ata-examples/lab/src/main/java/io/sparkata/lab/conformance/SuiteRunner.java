package io.sparkata.lab.conformance;

import io.sparkata.lab.Folders;
import io.sparkata.lab.Launch;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.Program;
import io.sparkata.lab.maven.Maven;
import io.sparkata.lab.maven.Pom;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Runs published suites of one Spark, each in a JVM of its own.
 *
 * @param classPath what Maven resolved, without this project's classes and test libraries
 * @param pluginJar for the Scala of this Spark
 * @param folder for the results
 */
record SuiteRunner(
    String scala, List<String> classPath, List<String> jvmOptions, Path pluginJar, Path folder) {

  /** What our own tests bring along. */
  private static final Pattern TEST_LIBRARIES =
      Pattern.compile(
          "/(spark-testing-base|jqwik|archunit|jmh|junit|assertj|awaitility)[^/]*\\.jar$");

  private static final Pattern SUITES_JAR = Pattern.compile("/spark-mllib_[^/]*-tests\\.jar$");

  /** Builds the jars for a profile's Scala, and has Maven fetch its suites. */
  static SuiteRunner prepare(String profile, Path folder) throws IOException {
    build(profile);
    Path file = folder.resolve("class-path");
    int status =
        Maven.program(
                profile,
                List.of(
                    "--quiet",
                    "-Pconformance",
                    "-pl",
                    "spark-ata/plugin",
                    "-am",
                    "compile",
                    "dependency:build-classpath",
                    "-Dmdep.outputFile=" + file,
                    "-DincludeScope=test"))
            .run();
    if (status != 0) {
      throw new RunFailure("Cannot find the suites of " + profile + ": Maven failed, see above.");
    }
    Pom pom = Pom.read();
    String scala = pom.property("scala.binary.version", profile);
    return new SuiteRunner(
        scala,
        withoutOurs(Files.readString(file), Project.root()),
        List.of(pom.property("spark.jvm.opens").strip().split("\\s+")),
        pom.target("spark-ata/plugin", profile)
            .resolve("spark-ata_" + scala + "-" + Project.version() + ".jar"),
        folder);
  }

  /** Any run of scripts/ata builds the jars first. */
  private static void build(String profile) {
    int status =
        new Program(Launch.script("ata", "--help"))
            .without("SPARK_HOME")
            .with("ATA_PROFILE", profile)
            .lines(line -> {})
            .run();
    if (status != 0) {
      throw new RunFailure("Cannot build for " + profile + ", see above.");
    }
  }

  /** The entries of a class path that come neither from this project nor from its tests. */
  static List<String> withoutOurs(String classPath, Path root) {
    return Arrays.stream(classPath.strip().split(File.pathSeparator))
        .filter(entry -> !entry.startsWith(root + "/"))
        .filter(entry -> !TEST_LIBRARIES.matcher(entry).find())
        .toList();
  }

  /**
   * Leaves {@code junit/}, {@code suite.log} and {@code out.txt} in SIDE/SUITE. Failing tests are
   * for the report to judge; the exit status says no more than they do.
   *
   * @param settings of Spark, if routed
   */
  void run(PublishedSuite suite, boolean isRouted, List<String> settings) throws IOException {
    Path results = folder.resolve(isRouted ? "routed" : "stock").resolve(suite.name());
    Path home = results.resolve("home");
    Path temporary = results.resolve("tmp");
    Files.createDirectories(home.resolve("jars"));
    Files.createDirectories(temporary);
    Path logging = results.resolve("log4j2.properties");
    Files.writeString(logging, logging(results.resolve("suite.log")));
    List<String> entries = new ArrayList<>(classPath);
    List<String> options = new ArrayList<>(jvmOptions);
    if (isRouted) {
      entries.add(pluginJar.toString());
      settings.forEach(setting -> options.add("-D" + setting));
    }
    String path = String.join(File.pathSeparator, entries);
    options.add("-Xmx3g");
    options.add("-Dlog4j2.configurationFile=" + logging);
    options.add("-Djava.io.tmpdir=" + temporary);
    options.add("-Dspark.test.home=" + home);
    options.add("-Dspark.executor.extraClassPath=" + path);
    options.add("-Dspark.ui.enabled=false");
    List<String> arguments =
        List.of(
            "-R",
            suitesPath(),
            "-s",
            suite.className(),
            "-oW",
            "-u",
            results.resolve("junit").toString());
    new Program(Launch.java(options, path, "org.scalatest.tools.Runner", arguments))
        .in(results)
        .with("SPARK_HOME", home.toString())
        .with("SPARK_LOCAL_IP", "127.0.0.1")
        .with("SPARK_SCALA_VERSION", scala)
        .allTo(results.resolve("out.txt"))
        .run();
    Folders.delete(temporary);
    Folders.delete(home);
  }

  private String suitesPath() {
    return classPath.stream()
        .filter(entry -> SUITES_JAR.matcher(entry).find())
        .collect(Collectors.joining(" "));
  }

  private static String logging(Path log) {
    return """
        rootLogger.level = warn
        rootLogger.appenderRef.file.ref = file
        appender.file.type = File
        appender.file.name = file
        appender.file.fileName = %s
        appender.file.layout.type = PatternLayout
        appender.file.layout.pattern = %%d %%p %%c: %%m%%n%%ex
        logger.ata.name = io.sparkata
        logger.ata.level = info
        """
        .formatted(log);
  }
}
