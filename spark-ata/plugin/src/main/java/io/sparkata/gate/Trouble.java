package io.sparkata.gate;

/**
 * Decides which errors our guards handle: all, so that no failure of Spark ATA ends a user's job,
 * except those that end the JVM or the thread.
 */
public final class Trouble {
  private Trouble() {}

  /**
   * Returns if a guard may handle {@code error}; throws it if not.
   *
   * @param error caught as a Throwable; an OutOfMemoryError, a ThreadDeath or an
   *     InterruptedException is thrown again
   */
  public static void rethrowFatal(Throwable error) {
    if (error instanceof OutOfMemoryError
        || error instanceof InterruptedException // Scala does not declare it
        || error.getClass().getName().equals("java.lang.ThreadDeath")) { // not in later JDKs
      throw Trouble.<RuntimeException>unchecked(error);
    }
  }

  /**
   * Lets a caller throw any error undeclared: Spark throws SparkException, which is checked, from
   * methods that do not declare it.
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <E extends Throwable> E unchecked(Throwable error) throws E {
    throw (E) error;
  }
}
