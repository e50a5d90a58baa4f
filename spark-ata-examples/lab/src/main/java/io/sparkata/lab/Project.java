package io.sparkata.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where this project lies and what was built of it, as {@code scripts/ata} says. */
public final class Project {
  private Project() {}

  /** The root folder; without {@code scripts/ata} the nearest one above that has it. */
  public static Path root() {
    String given = System.getProperty("ata.root");
    Path folder = Path.of(given == null ? "" : given).toAbsolutePath();
    while (folder != null && !Files.isRegularFile(folder.resolve("scripts/ata"))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new RunFailure("Cannot find this project: no scripts/ata above. Set -Data.root=<it>.");
    }
    return folder;
  }

  /** A file or folder of the project by its path from the root. */
  public static Path path(String fromRoot) {
    return root().resolve(fromRoot);
  }

  /** The Maven profile, e.g. {@code spark-3.5}. */
  public static String profile() {
    return property("ata.profile");
  }

  /** The version of Spark ATA. */
  public static String version() {
    return property("ata.version");
  }

  /** The commit, with a + where sources have changed since; unknown outside git. */
  public static String commit() {
    return property("ata.commit");
  }

  /** The tools' jar, this program's own. */
  public static Path labJar() {
    return Path.of(property("ata.labJar"));
  }

  /** The plugin's jar. */
  public static Path pluginJar() {
    return Path.of(property("ata.pluginJar"));
  }

  /** What Spark needs of the JVM. */
  public static List<String> sparkJvmOptions() {
    return System.getProperty("ata.sparkJvmOptions", "").lines().toList();
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
