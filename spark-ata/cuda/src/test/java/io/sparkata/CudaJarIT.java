package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The contents of the jar that users add to {@code --jars} next to the plugin's. */
class CudaJarIT {
  @Test
  void jar_holdsTheBackendAndLwjglOnly() throws IOException {
    try (JarFile jar = open()) {
      List<String> names =
          jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName).toList();

      assertThat(names)
          .contains(
              "io/sparkata/cuda/CudaBackend.class",
              "io/sparkata/cuda/gradients.ptx",
              "org/lwjgl/cuda/CU.class",
              "org/lwjgl/system/MemoryUtil.class",
              "linux/x64/org/lwjgl/liblwjgl.so",
              "linux/arm64/org/lwjgl/liblwjgl.so")
          .allMatch(
              name ->
                  name.startsWith("io/sparkata/cuda/")
                      || name.startsWith("org/lwjgl/")
                      || name.startsWith("linux/")
                      || name.startsWith("META-INF/"))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void jar_namesTheBackendForServiceLoader() throws IOException {
    try (JarFile jar = open()) {
      assertThat(text(jar, "META-INF/services/io.sparkata.kernel.GpuBackend").strip())
          .isEqualTo("io.sparkata.cuda.CudaBackend");
    }
  }

  @Test
  void jar_holdsTheLicencesOfAllThatIsInIt() throws IOException {
    try (JarFile jar = open()) {
      assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
      assertThat(text(jar, "META-INF/NOTICE"))
          .contains("META-INF/licenses/LWJGL", "META-INF/licenses/libffi");
      assertThat(text(jar, "META-INF/licenses/LWJGL"))
          .startsWith("Copyright (c) 2012-present Lightweight Java Game Library")
          .contains("Neither the name Lightweight Java Game Library");
      assertThat(text(jar, "META-INF/licenses/libffi"))
          .startsWith("libffi - Copyright (c)")
          .contains("Permission is hereby granted");
    }
  }

  private static JarFile open() throws IOException {
    return new JarFile(System.getProperty("ata.cudaJar"));
  }

  private static String text(JarFile jar, String name) throws IOException {
    return new String(
        jar.getInputStream(jar.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
  }
}
