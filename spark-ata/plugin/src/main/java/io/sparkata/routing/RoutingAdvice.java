package io.sparkata.routing;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.function.Function;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/**
 * What is copied around the body of MLlib's method: the route is asked first, and what it returns
 * is returned instead; null lets MLlib's own body run. It names only classes that MLlib's class
 * loader sees.
 */
final class RoutingAdvice {
  private RoutingAdvice() {}

  /** Stands for the field that holds the route. */
  @Retention(RetentionPolicy.RUNTIME)
  @interface Route {}

  @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
  static Object enter(
      @Route Function<Object[], Object> route, @Advice.AllArguments Object[] arguments) {
    return route == null ? null : route.apply(arguments);
  }

  @Advice.OnMethodExit
  @SuppressWarnings({"ParameterReassignment", "UnusedVariable"}) // copied, never run here
  static void exit(
      @Advice.Enter Object routed,
      @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object returned) {
    if (routed != null) {
      returned = routed;
    }
  }
}
