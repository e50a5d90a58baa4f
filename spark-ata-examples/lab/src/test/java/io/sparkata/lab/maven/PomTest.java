package io.sparkata.lab.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PomTest {
  @Test
  void property_ofThisProject_isTheProfilesOrElseTheCommonOne() {
    Pom pom = Pom.read();
    assertThat(pom.property("scala.binary.version", "spark-3.5-scala-2.12")).isEqualTo("2.12");
    assertThat(pom.property("scala.binary.version", "spark-3.5")).isEqualTo("2.13");
    assertThat(pom.property("spark.jvm.opens")).contains("--add-modules=jdk.incubator.vector");
    assertThatThrownBy(() -> pom.property("no.such.property"))
        .hasMessage("Invalid property: no.such.property (none)");
  }
}
