package io.sparkata.testing;

import static java.util.stream.Collectors.joining;

import io.sparkata.testing.PlainSpark.Run;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spark's classes in a file that JVMs map into memory (Java's class data sharing): a JVM of Spark
 * then starts in half the CPU time. Small trainings write the file into the folder target. A JVM
 * takes it if its class path begins with {@link #jars}, and ignores it otherwise.
 */
public final class SparkArchive {
  private static final Logger LOG = LoggerFactory.getLogger(SparkArchive.class);

  private static final List<String> OURS_OR_FOR_TESTS =
      List.of(
          "spark-ata",
          "byte-buddy",
          "spark-testing-base",
          "junit",
          "assertj",
          "jqwik",
          "archunit",
          "jmh",
          "awaitility");

  /** What loads the classes. */
  private static final String APP = "ArchiveApp";

  private static final Path FILE = Path.of("target", APP + "-" + fingerprint() + ".jsa");

  private SparkArchive() {}

  /** Of the test's class path: those of a Spark installation, by their files' names. */
  static List<Path> jars() {
    return classPathOfTests()
        .map(Path::of)
        .filter(SparkArchive::isSparks)
        .sorted(Comparator.comparing(Path::getFileName))
        .toList();
  }

  private static Stream<String> classPathOfTests() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1));
  }

  private static boolean isSparks(Path entry) {
    String name = entry.getFileName().toString();
    return name.endsWith(".jar") && OURS_OR_FOR_TESTS.stream().noneMatch(name::startsWith);
  }

  /** The test's class path in an order that fits the archive. */
  public static String classPath() {
    return Stream.concat(
            jars().stream().map(Path::toString),
            classPathOfTests().filter(entry -> !isSparks(Path.of(entry))))
        .collect(joining(File.pathSeparator));
  }

  /** Of a JVM; none while there is no archive. */
  public static List<String> jvmOptions() {
    return Files.exists(FILE)
        ? List.of("-XX:SharedArchiveFile=" + FILE.toAbsolutePath())
        : List.of();
  }

  /** Writes the archive unless it is there. Costs what the start of eight JVMs saves. */
  static void write() {
    if (Files.exists(FILE)) {
      return;
    }
    try {
      Path folder = Files.createTempDirectory("spark-ata-archive");
      Path fresh = folder.resolve("spark.jsa");
      try (PlainSpark spark = new PlainSpark(folder)) {
        String app = spark.compile(APP).toString();
        String jars = jars().stream().map(Path::toString).collect(joining(File.pathSeparator));
        Run run =
            spark.submit(
                List.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:ArchiveClassesAtExit=" + fresh,
                    "-cp", // the last counts
                    jars),
                List.of(
                    "--master",
                    "local[2]",
                    "--conf",
                    "spark.ui.enabled=false",
                    "--conf",
                    "spark.sql.shuffle.partitions=2",
                    "--class",
                    APP,
                    app));
        if (run.status() != 0 || !Files.exists(fresh)) { // of a Java that cannot
          LOG.warn("Cannot write {}: {}", FILE, run.log());
          return;
        }
      }
      Files.move(fresh, FILE);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Changes with the Java and with the jars. */
  private static String fingerprint() {
    StringBuilder all = new StringBuilder(System.getProperty("java.vm.version"));
    for (Path jar : jars()) {
      File file = jar.toFile();
      all.append(' ').append(jar).append(file.length()).append(file.lastModified());
    }
    return Integer.toHexString(all.toString().hashCode());
  }
}
