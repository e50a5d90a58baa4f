package io.sparkata.kernel;

import java.util.function.Supplier;

/**
 * Classes that compute by {@code jdk.incubator.vector}, which a JVM has only where it was asked
 * for.
 *
 * <p>They all use {@code SPECIES_MAX}, as netlib does: a JVM that has seen vectors of two classes,
 * be they of one length, allocates an object for each of them. Java 17 does, Java 25 does not; none
 * between was tried.
 */
final class VectorModule {
  private VectorModule() {}

  /**
   * Returns one of class {@code name}, or {@code otherwise} where the module is absent.
   *
   * @param name of this package, with a constructor without parameters
   */
  static <T> T orElse(String name, Class<T> type, Supplier<T> otherwise) {
    try {
      return Class.forName(VectorModule.class.getPackageName() + "." + name)
          .asSubclass(type)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | LinkageError absent) {
      return otherwise.get();
    }
  }

  /** As {@link #orElse}, of a class that needs powers and logarithms in vectors. */
  static <T> T whereItHasPowers(String name, Class<T> type, Supplier<T> otherwise) {
    // Elsewhere than on x86 the module computes them one by one.
    return System.getProperty("os.arch").equals("amd64")
        ? orElse(name, type, otherwise)
        : otherwise.get();
  }
}
