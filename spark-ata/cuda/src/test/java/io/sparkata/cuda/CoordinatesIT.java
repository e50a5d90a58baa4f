package io.sparkata.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.PlainSpark;
import io.sparkata.testing.PlainSpark.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** spark-submit's --packages, from a Maven repository with what the build would publish. */
@Tag("spark")
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CoordinatesIT {
  private static final String SCALA = System.getProperty("ata.scalaVersion");

  @TempDir private static Path folder;

  private PlainSpark spark;
  private Path app;
  private String version;

  @BeforeAll
  void layOutRepository() throws IOException {
    Path cuda = Path.of(System.getProperty("ata.cudaJar"));
    String name = cuda.getFileName().toString();
    version = name.replace("spark-ata-cuda_" + SCALA + "-", "").replace(".jar", "");
    Path built = Path.of("target", "scala-" + SCALA);
    publish("spark-ata-cuda_" + SCALA, built);
    publish("spark-ata_" + SCALA, Path.of("..", "plugin").resolve(built));
    Files.writeString(
        folder.resolve("ivysettings.xml"),
        "<ivysettings><settings defaultResolver=\"local\"/><resolvers>"
            + "<ibiblio name=\"local\" m2compatible=\"true\" root=\""
            + folder.resolve("repository").toUri()
            + "\"/></resolvers></ivysettings>");
    spark = new PlainSpark(folder);
    app = spark.compile("PlainApp");
  }

  private void publish(String artifact, Path target) throws IOException {
    String name = artifact + "-" + version;
    Path place = folder.resolve("repository/io/sparkata/" + artifact + "/" + version);
    Files.createDirectories(place);
    Files.copy(target.resolve(name + ".jar"), place.resolve(name + ".jar"));
    Files.copy(target.resolve(".flattened-pom.xml"), place.resolve(name + ".pom"));
  }

  @AfterAll
  void close() throws IOException {
    spark.close();
  }

  @Test
  void submit_thePlugin_bringsItAloneAndItRuns() throws Exception {
    String plugin = "io.sparkata:spark-ata_" + SCALA + ":" + version;
    assertThat(jarsOf(submit("plugin", plugin)))
        .containsExactly("io.sparkata_spark-ata_" + SCALA + "-" + version + ".jar");
  }

  @Test
  void submit_withTheKernelsForGpus_bringsNoMoreThanTheTwo() throws Exception {
    String plugin = "io.sparkata:spark-ata_" + SCALA + ":" + version;
    String cuda = "io.sparkata:spark-ata-cuda_" + SCALA + ":" + version;
    assertThat(jarsOf(submit("both", plugin + "," + cuda)))
        .containsExactlyInAnyOrder(
            "io.sparkata_spark-ata_" + SCALA + "-" + version + ".jar",
            "io.sparkata_spark-ata-cuda_" + SCALA + "-" + version + ".jar");
  }

  /** Returns Ivy's folder. */
  private Path submit(String name, String packages) throws Exception {
    Path ivy = folder.resolve("ivy-" + name);
    List<String> arguments = new ArrayList<>(List.of("--master", "local[2]"));
    arguments.addAll(List.of("--packages", packages, "--conf", "spark.jars.ivy=" + ivy));
    for (String setting :
        List.of(
            "spark.jars.ivySettings=" + folder.resolve("ivysettings.xml"),
            "spark.plugins=io.sparkata.AtaPlugin",
            "spark.ata.enabled=true",
            "spark.ata.passThrough=never")) {
      arguments.addAll(List.of("--conf", setting));
    }
    arguments.addAll(List.of("--class", "PlainApp", app.toString()));
    arguments.addAll(List.of(folder.resolve("weights-" + name).toString(), "1", "1"));
    Run run = spark.submit(List.of(), arguments);
    assertThat(run.status()).as(run.log()).isZero();
    assertThat(run.log()).contains("Spark ATA: calls=1 routed=1 rounds=16 ");
    return ivy;
  }

  private static List<String> jarsOf(Path ivy) throws IOException {
    try (Stream<Path> jars = Files.list(ivy.resolve("jars"))) {
      return jars.map(jar -> jar.getFileName().toString()).toList();
    }
  }
}
