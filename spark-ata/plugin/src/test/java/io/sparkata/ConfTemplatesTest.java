package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;

/**
 * conf/spark-defaults.conf: one flag away from on, with the JVM options that Spark itself uses; and
 * the keys of conf/spark-gpu.conf.
 */
class ConfTemplatesTest {
  private static Properties defaults() throws IOException {
    return load("spark-defaults.conf");
  }

  private static Properties load(String name) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of("..", "..", "conf", name))) {
      properties.load(reader);
    }
    return properties;
  }

  @Test
  void gpuTemplate_holdsSparksKeysAndOursWithItsDefault() throws IOException {
    assertThat(load("spark-gpu.conf"))
        .containsOnlyKeys(
            "spark.executor.resource.gpu.amount",
            "spark.task.resource.gpu.amount",
            "spark.ata.gpu",
            "spark.ata.gpu.precision",
            "spark.worker.resource.gpu.amount",
            "spark.worker.resource.gpu.discoveryScript")
        .containsEntry("spark.ata.gpu", "auto")
        .containsEntry("spark.ata.gpu.precision", "double");
    assertThat(Path.of("..", "..", "conf", "discover-gpus")).isExecutable();
  }

  @Test
  void kubernetesTemplates_namePluginKeysAndJar() throws IOException {
    Path folder = Path.of("..", "..", "conf", "kubernetes");

    assertThat(folder.resolve("spark-application.yaml"))
        .content()
        .contains("spark.plugins: " + AtaPlugin.class.getName())
        .contains("spark.ata.enabled: \"true\"");
    assertThat(Files.readAllLines(folder.resolve("Dockerfile")))
        .hasSize(3)
        .last()
        .isEqualTo("COPY spark-ata_2.13-*.jar /opt/spark/jars/");
  }

  @Test
  void defaults_listThePluginSwitchedOff() throws IOException {
    assertThat(defaults())
        .containsEntry("spark.plugins", AtaPlugin.class.getName())
        .containsEntry("spark.ata.enabled", "false");
  }

  @Test
  void defaults_giveDriversWhatSparkNeedsAndBothSidesTheVectorModule() throws IOException {
    String driver = defaults().getProperty("spark.driver.extraJavaOptions");
    String[] opens = JavaModuleOptions.defaultModuleOptions().split(" ");

    assertThat(opens).filteredOn(option -> option.startsWith("--add-opens")).isNotEmpty();
    for (String option : opens) {
      if (option.startsWith("--add-opens")) {
        assertThat(driver).contains(option);
      }
    }
    assertThat(driver).contains("--add-modules=jdk.incubator.vector");
    assertThat(defaults().getProperty("spark.executor.defaultJavaOptions"))
        .contains("--add-modules=jdk.incubator.vector");
  }
}
