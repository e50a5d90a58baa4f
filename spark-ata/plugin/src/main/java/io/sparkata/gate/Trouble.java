package io.sparkata.gate;

/**
 * What a guard of ours catches: everything, so that no error of our own ends a user's job, but what
 * means that the JVM or the thread is to end.
 */
public final class Trouble {
  private Trouble() {}

  /**
   * Returns where a guard may handle {@code error}, and throws it where it must go on.
   *
   * @param error caught as a Throwable; an OutOfMemoryError, a ThreadDeath or an
   *     InterruptedException is thrown on
   */
  public static void rethrowFatal(Throwable error) {
    if (error instanceof OutOfMemoryError
        || error instanceof InterruptedException // Scala does not declare it
        || error.getClass().getName().equals("java.lang.ThreadDeath")) { // gone from later JDKs
      throw Trouble.<RuntimeException>unchecked(error);
    }
  }

  /**
   * Any error as one that need not be declared: Spark throws SparkException, which is checked, from
   * methods that do not declare it.
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <E extends Throwable> E unchecked(Throwable error) throws E {
    throw (E) error;
  }
}
