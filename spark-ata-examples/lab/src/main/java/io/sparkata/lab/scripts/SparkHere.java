package io.sparkata.lab.scripts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The Spark that a cluster runs, as the script has found it.
 *
 * @param home its folder
 * @param conf its conf folder
 * @param version of Spark
 * @param scala version
 * @param profile of pom.xml
 * @param project root of this project
 * @param pom facts of the project
 * @param callersJvmOptions the caller's JDK_JAVA_OPTIONS
 * @param yarnServers folder of jars, for YARN
 */
record SparkHere(
    Path home,
    String conf,
    String version,
    String scala,
    String profile,
    Path project,
    PomFacts pom,
    String callersJvmOptions,
    Path yarnServers) {
  static final String JVM_OPTIONS = "JDK_JAVA_OPTIONS";

  /** By the variables that scripts/cluster sets. */
  static SparkHere of(Map<String, String> environment) throws IOException {
    Path project = Path.of(environment.get("ATA_ROOT"));
    Path home = Path.of(environment.get("ATA_SPARK_HOME"));
    String conf = environment.getOrDefault("SPARK_CONF_DIR", "");
    return new SparkHere(
        home,
        conf.isEmpty() ? home.resolve("conf").toString() : conf,
        environment.get("ATA_SPARK_VERSION"),
        environment.get("SPARK_SCALA_VERSION"),
        environment.get("ATA_PROFILE"),
        project,
        PomFacts.read(project.resolve("pom.xml")),
        environment.getOrDefault("ATA_JAVA_OPTIONS", ""),
        Path.of(environment.getOrDefault("ATA_YARN_SERVERS", "")));
  }

  List<String> jvmOptions() {
    return pom.jvmOptions();
  }
}
