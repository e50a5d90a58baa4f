package io.sparkata.gate;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/** What this jar was built for. */
final class Build {
  private static final String FILE = "/META-INF/spark-ata.properties";

  private final Properties properties;

  private Build(Properties properties) {
    this.properties = properties;
  }

  /**
   * Reads what the build wrote into the jar.
   *
   * @throws IllegalStateException if the jar lacks it
   */
  static Build read() {
    Properties properties = new Properties();
    try (InputStream in = Build.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("The jar of Spark ATA lacks " + FILE);
      }
      properties.load(in);
    } catch (IOException error) {
      throw new IllegalStateException("Cannot read " + FILE + " of Spark ATA's jar", error);
    }
    return new Build(properties);
  }

  private String get(String name) {
    String value = properties.getProperty(name);
    if (value == null) {
      throw new IllegalStateException("The jar of Spark ATA lacks " + name + " in " + FILE);
    }
    return value;
  }

  String version() {
    return get("version");
  }

  /** Scala's binary version, such as 2.13. */
  String scala() {
    return get("scala");
  }

  /** The oldest Java that can load the jar's classes. */
  int java() {
    return Integer.parseInt(get("java"));
  }

  /** The Spark that the jar was compiled with. */
  String spark() {
    return get("spark");
  }

  /** The versions of Spark that this jar was tested with. */
  List<String> testedSparks() {
    return Arrays.asList(get("testedSparks").split(","));
  }

  /** The artifact that this jar is, such as spark-ata_2.13. */
  String artifact() {
    return artifact(scala());
  }

  /** The artifact for a version of Scala. */
  static String artifact(String scala) {
    return "spark-ata_" + scala;
  }
}
