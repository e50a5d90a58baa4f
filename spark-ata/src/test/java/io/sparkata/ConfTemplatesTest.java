package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;

/** conf/spark-defaults.conf: one flag away from on, with the JVM options that Spark itself uses. */
class ConfTemplatesTest {
  private static Properties defaults() throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of("..", "conf", "spark-defaults.conf"))) {
      properties.load(reader);
    }
    return properties;
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
