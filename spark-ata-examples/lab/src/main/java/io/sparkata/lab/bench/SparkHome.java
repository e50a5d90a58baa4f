package io.sparkata.lab.bench;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A folder with Spark's jars. */
final class SparkHome {
  private static final Pattern CORE = Pattern.compile("spark-core_[0-9.]+-(.+)\\.jar");

  private SparkHome() {}

  /** Spark's version, by the name of a jar. */
  static String version(Path home) throws IOException {
    try (Stream<Path> jars = Files.list(home.resolve("jars"))) {
      return jars.map(jar -> CORE.matcher(jar.getFileName().toString()))
          .filter(Matcher::matches)
          .map(core -> core.group(1))
          .findFirst()
          .orElseThrow(() -> new RunFailure("Cannot find Spark in " + home + "/jars."));
    }
  }
}
