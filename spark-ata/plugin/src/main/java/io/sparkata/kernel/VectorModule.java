package io.sparkata.kernel;

import java.util.function.Supplier;

/**
 * Creates classes that compute by {@code jdk.incubator.vector}, which a JVM has only with {@code
 * --add-modules}.
 *
 * <p>They all use {@code SPECIES_MAX}, as netlib does. If a JVM has seen two vector classes, even
 * of one length, it allocates an object for each vector. Java 17 does, Java 25 does not; the
 * versions between were not tried.
 */
final class VectorModule {
  private VectorModule() {}

  /**
   * Returns an object of class {@code name}, or {@code otherwise} if the module is absent.
   *
   * @param name of a class of this package, with a constructor without parameters
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

  /** The same as {@link #orElse} for a class that needs exponentials and logarithms in vectors. */
  static <T> T whereItHasPowers(String name, Class<T> type, Supplier<T> otherwise) {
    // On other processors than x86 the module computes them one by one.
    return System.getProperty("os.arch").equals("amd64")
        ? orElse(name, type, otherwise)
        : otherwise.get();
  }
}
