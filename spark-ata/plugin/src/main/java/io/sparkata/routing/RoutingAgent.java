package io.sparkata.routing;

import java.lang.instrument.Instrumentation;

/**
 * Keeps what the JVM gives to a {@code -javaagent:} on this jar, for drivers that may not attach to
 * themselves. Changes nothing by itself.
 */
public final class RoutingAgent {
  private static volatile Instrumentation given;

  private RoutingAgent() {}

  /** Called by the JVM before the application's main method. */
  public static void premain(String options, Instrumentation instrumentation) {
    given = instrumentation;
  }

  /** What the JVM gave; null without {@code -javaagent:}. Public for {@link #find}'s reflection. */
  public static Instrumentation given() {
    return given;
  }

  /**
   * As {@link #given}, by the class that the JVM called: the system class loader's, which is
   * another one where the plugin sits in a class loader of its own that asks its parent last.
   */
  static Instrumentation find() {
    try {
      return (Instrumentation)
          ClassLoader.getSystemClassLoader()
              .loadClass(RoutingAgent.class.getName())
              .getMethod("given")
              .invoke(null);
    } catch (ReflectiveOperationException notOnTheSystemClassPath) {
      return null;
    }
  }
}
