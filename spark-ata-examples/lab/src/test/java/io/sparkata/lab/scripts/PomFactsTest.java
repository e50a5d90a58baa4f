package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PomFactsTest {
  @TempDir private Path folder;

  @Test
  void read_pomWithProfiles_hasPropertiesOfEach() throws IOException {
    Path pom =
        Files.writeString(
            folder.resolve("pom.xml"),
            """
            <project>
              <parent><version>9</version></parent>
              <version>1.2</version>
              <properties>
                <spark.jvm.opens>
                  -XX:+A
                  --add-opens=it's
                </spark.jvm.opens>
              </properties>
              <profiles>
                <profile>
                  <id>spark-x</id>
                  <properties>
                    <spark.version>3.5</spark.version>
                    <scala.binary.version>2.13</scala.binary.version>
                  </properties>
                </profile>
                <profile><id>other</id></profile>
              </profiles>
            </project>
            """);
    PomFacts facts = PomFacts.read(pom);
    assertThat(facts.version()).isEqualTo("1.2");
    assertThat(facts.profiles()).containsOnlyKeys("spark-x", "other");
    assertThat(facts.toShell())
        .contains("ATA_VERSION='1.2'\n")
        .contains("SPARK_JVM_OPTIONS=('-XX:+A' '--add-opens=it'\\''s')\n")
        .contains("declare -gA SCALA_OF=([spark-x]='2.13')\n")
        .contains("declare -gA SPARK_OF=([spark-x]='3.5')\n")
        .contains("declare -gA HADOOP_OF=()\n");
  }

  @Test
  void read_pomOfThisProject_hasWhatTheScriptsNeed() throws IOException {
    PomFacts facts = PomFacts.read(Path.of("..", "..", "pom.xml"));
    assertThat(facts.jvmOptions()).contains("--add-modules=jdk.incubator.vector");
    assertThat(facts.profiles())
        .containsKeys("spark-3.5", "spark-4.0", "spark-4.1", "spark-4.2", "spark-3.5-scala-2.12")
        .allSatisfy(
            (id, properties) -> {
              if (id.startsWith("spark-")) { // the others, such as release, are no Spark
                assertThat(properties)
                    .containsKeys("spark.version", "scala.binary.version", "hadoop.version");
              }
            });
  }

  @Test
  void read_brokenPom_saysSo() throws IOException {
    Path pom = Files.writeString(folder.resolve("pom.xml"), "<project>");
    assertThatThrownBy(() -> PomFacts.read(pom))
        .isInstanceOf(ScriptFailure.class)
        .hasMessageStartingWith("Cannot read " + pom + ": ");
  }
}
