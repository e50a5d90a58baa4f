package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import net.bytebuddy.jar.asm.ClassReader;
import org.junit.jupiter.api.Test;

/** What is in the jar that users put on {@code --jars}. */
class PluginJarIT {
  private static final String LIBRARIES = "io/sparkata/shaded/";

  /** Where a class file says its version, and the tag of a class in its constant pool. */
  private static final int MAJOR_VERSION = 6;

  private static final int CLASS = 7;

  @Test
  void jar_holdsOurClassesOnly_withLicenceAndVersion() throws IOException {
    try (JarFile jar = new JarFile(System.getProperty("ata.pluginJar"))) {
      List<String> names =
          jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName).toList();

      assertThat(names)
          .contains("io/sparkata/AtaPlugin.class", "META-INF/LICENSE", "META-INF/NOTICE")
          .contains("io/sparkata/allocation/AdaptivePolicy.class")
          .contains("sparkata.py") // where Python looks
          .allMatch(name -> name.matches("io/sparkata/.*|META-INF/.*|sparkata[.]py"))
          .noneMatch(name -> name.startsWith("io/sparkata/simulation/"))
          .noneMatch(name -> name.startsWith("io/sparkata/cuda/") || name.endsWith(".ptx"))
          .noneMatch(name -> name.startsWith("io/sparkata/lab/") || name.contains("Benchmark"));
      Attributes built = jar.getManifest().getMainAttributes();
      assertThat(built.getValue("Implementation-Version")).isNotBlank();
      assertThat(built.getValue("Scala-Binary-Version"))
          .isEqualTo(System.getProperty("ata.scalaVersion"));
      assertThat(built.getValue("Spark-Version")).startsWith("3.5.");
      assertThat(built.getValue("Java-Version")).isEqualTo("17");
      assertThat(built.getValue("Git-Commit")).isNotBlank();
    }
  }

  /** Spark loads the doors on any Java; what they name must load there too. */
  @Test
  void doors_always_areOfJava8AndNameNoOtherClassOfOurs() throws IOException {
    try (JarFile jar = new JarFile(System.getProperty("ata.pluginJar"))) {
      List<JarEntry> doors = jar.stream().filter(entry -> isDoor(entry.getName())).toList();
      assertThat(doors)
          .extracting(JarEntry::getName)
          .contains(
              "io/sparkata/AtaPlugin.class",
              "io/sparkata/AtaKryoRegistrator.class",
              "io/sparkata/routing/RoutingAgent.class",
              "io/sparkata/gate/GatedDriver.class");
      for (JarEntry door : doors) {
        try (InputStream in = jar.getInputStream(door)) {
          ClassReader file = new ClassReader(in);
          assertThat(file.readShort(MAJOR_VERSION)).as(door.getName()).isEqualTo((short) 52);
          assertThat(classesNamedBy(file))
              .as(door.getName())
              .filteredOn(name -> name.startsWith("io/sparkata/"))
              .allMatch(name -> isDoor(name + ".class") || name.startsWith(LIBRARIES))
              .allSatisfy(name -> assertThat(majorVersion(jar, name)).isLessThanOrEqualTo(52));
        }
      }
    }
  }

  private static boolean isDoor(String name) {
    return (name.startsWith("io/sparkata/gate/") && name.endsWith(".class"))
        || name.startsWith("io/sparkata/AtaPlugin")
        || name.startsWith("io/sparkata/AtaKryoRegistrator")
        || name.startsWith("io/sparkata/routing/RoutingAgent");
  }

  private static Set<String> classesNamedBy(ClassReader file) {
    Set<String> names = new TreeSet<>();
    char[] buffer = new char[file.getMaxStringLength()];
    for (int i = 1; i < file.getItemCount(); i++) {
      int item = file.getItem(i);
      if (item > 0 && file.readByte(item - 1) == CLASS) {
        names.add(file.readUTF8(item, buffer).replaceAll("^\\[*L?|;$", ""));
      }
    }
    return names;
  }

  private static int majorVersion(JarFile jar, String name) {
    try (InputStream in = jar.getInputStream(jar.getJarEntry(name + ".class"))) {
      return new ClassReader(in).readShort(MAJOR_VERSION);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
