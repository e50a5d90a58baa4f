package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** What is in the jar that users put on {@code --jars}. */
class PluginJarIT {
  @Test
  void jar_holdsOurClassesOnly_withLicenceAndVersion() throws IOException {
    try (JarFile jar = new JarFile(System.getProperty("ata.pluginJar"))) {
      List<String> names =
          jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName).toList();

      assertThat(names)
          .contains("io/sparkata/AtaPlugin.class", "META-INF/LICENSE", "META-INF/NOTICE")
          .contains("io/sparkata/allocation/AdaptivePolicy.class")
          .allMatch(name -> name.startsWith("io/sparkata/") || name.startsWith("META-INF/"))
          .noneMatch(name -> name.startsWith("io/sparkata/simulation/"))
          .noneMatch(name -> name.startsWith("io/sparkata/cuda/") || name.endsWith(".ptx"))
          .noneMatch(name -> name.startsWith("io/sparkata/tools/") || name.contains("Benchmark"));
      assertThat(jar.getManifest().getMainAttributes().getValue("Implementation-Version"))
          .isNotBlank();
    }
  }
}
