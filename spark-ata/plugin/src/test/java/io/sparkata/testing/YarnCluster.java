package io.sparkata.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The cluster of {@code scripts/cluster start --manager yarn}; needs Maven's profile yarn. */
public final class YarnCluster {
  /** Where the script keeps it. */
  public static final Path FOLDER =
      Path.of(System.getProperty("basedir"), "..", "..", "target", "yarn").normalize();

  private static final Pattern PROPERTY =
      Pattern.compile("<name>([^<]+)</name>\\s*<value>([^<]*)</value>");

  private YarnCluster() {}

  /**
   * Has a context of this JVM use the cluster.
   *
   * @param options to start it with, should it not run
   */
  public static Map<String, String> settings(String options) {
    assertRuns(options);
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.master", "yarn");
    settings.put("spark.executor.instances", Integer.toString(TestCluster.EXECUTORS));
    settings.put("spark.executor.memory", "1g");
    // Executors and the application master, which has the driver's, find Spark by their class path.
    settings.put("spark.driver.extraClassPath", SparkArchive.classPath());
    settings.put("spark.yarn.jars", "local:" + FOLDER.resolve("conf"));
    settings.put("spark.yarn.stagingDir", FOLDER.toUri().toString());
    settings.put("spark.yarn.max.executor.failures", "1000");
    for (String file : new String[] {"core-site.xml", "yarn-site.xml"}) {
      Matcher property = PROPERTY.matcher(text(FOLDER.resolve("conf").resolve(file)));
      while (property.find()) {
        settings.put("spark.hadoop." + property.group(1), property.group(2));
      }
    }
    return settings;
  }

  /** Fails if the cluster was never started, and says how to start it. */
  public static void assertRuns(String options) {
    assertThat(FOLDER.resolve("conf/yarn-site.xml"))
        .as("start YARN: scripts/cluster start --manager yarn " + options)
        .exists();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
