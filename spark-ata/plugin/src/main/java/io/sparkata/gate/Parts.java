package io.sparkata.gate;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/** Creates our classes by name: a JVM that the jar does not fit cannot load them. */
final class Parts {
  private Parts() {}

  /**
   * A new object of a class.
   *
   * @param className with a constructor without parameters
   * @throws LinkageError if the class does not fit
   */
  static <T> T load(String className, Class<T> type) {
    try {
      Constructor<?> constructor =
          Class.forName(className, /* initialize= */ true, Parts.class.getClassLoader())
              .getDeclaredConstructor();
      constructor.setAccessible(true);
      return type.cast(constructor.newInstance());
    } catch (InvocationTargetException error) {
      throw Trouble.<RuntimeException>unchecked(error.getCause());
    } catch (ReflectiveOperationException absent) {
      throw new IllegalStateException("The jar of Spark ATA lacks " + className, absent);
    }
  }
}
