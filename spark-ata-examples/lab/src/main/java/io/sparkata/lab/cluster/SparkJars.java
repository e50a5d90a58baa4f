package io.sparkata.lab.cluster;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Spark that a cluster runs.
 *
 * @param home its folder
 * @param version of Spark
 * @param scala version
 */
record SparkJars(Path home, String version, String scala) {
  private static final Pattern CORE = Pattern.compile("spark-core_([0-9.]+)-(.+)\\.jar");

  /** By the name of a jar. */
  static SparkJars in(Path home) throws IOException {
    try (Stream<Path> jars = Files.list(home.resolve("jars"))) {
      return jars.map(jar -> CORE.matcher(jar.getFileName().toString()))
          .filter(Matcher::matches)
          .map(core -> new SparkJars(home, core.group(2), core.group(1)))
          .findFirst()
          .orElseThrow(() -> new RunFailure("Cannot find Spark in " + home + "/jars."));
    }
  }

  /** All jars, as a class path. */
  String classPath() {
    return home.resolve("jars") + "/*";
  }
}
