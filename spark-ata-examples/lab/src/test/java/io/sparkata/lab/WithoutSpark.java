package io.sparkata.lab;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The class path of {@code scripts/ata}: this project's classes and their libraries, but neither
 * Spark nor Scala.
 */
public final class WithoutSpark extends ClassLoader {
  private static final List<String> ABSENT = List.of("org.apache.spark.", "scala.");

  public WithoutSpark() {
    super(WithoutSpark.class.getClassLoader());
  }

  /** Runs a command as {@link AtaRun} does, and returns its exit status. */
  public int run(String... arguments) throws ReflectiveOperationException {
    Object run =
        loadClass(AtaRun.class.getName())
            .getMethod("of", String[].class)
            .invoke(null, (Object) arguments);
    return (int) run.getClass().getMethod("status").invoke(run);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (ABSENT.stream().anyMatch(name::startsWith)) {
      throw new ClassNotFoundException(name);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> found = findLoadedClass(name);
      if (found != null) {
        return found;
      }
      return name.startsWith("io.sparkata.") ? define(name) : super.loadClass(name, resolve);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (code == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = code.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException error) {
      throw new ClassNotFoundException(name, error);
    }
  }
}
