package io.sparkata.routing;

import java.lang.instrument.Instrumentation;

/**
 * Keeps the Instrumentation that the JVM gives to a {@code -javaagent:} on this jar, for JVMs that
 * forbid self-attachment. Changes nothing by itself.
 */
public final class RoutingAgent {
  private static volatile Instrumentation given;

  private RoutingAgent() {}

  /** Called by the JVM before the application's main method. */
  public static void premain(String options, Instrumentation instrumentation) {
    given = instrumentation;
  }

  /**
   * The kept Instrumentation; null without {@code -javaagent:}. Public because {@link #find} calls
   * it by reflection.
   */
  public static Instrumentation given() {
    return given;
  }

  /**
   * The same as {@link #given}, but of the class that the JVM called. That is the system class
   * loader's class, which differs from this one if the plugin has a class loader that tries its
   * parent last.
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
