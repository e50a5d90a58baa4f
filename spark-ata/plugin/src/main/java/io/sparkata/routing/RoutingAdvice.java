package io.sparkata.routing;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.function.BiFunction;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/**
 * The code that is woven around the body of a {@link WeavePoint}. It calls the route first and
 * returns the route's result; if that is null, Spark's own body runs. It names only classes that
 * Spark's class loader sees.
 */
final class RoutingAdvice {
  private RoutingAdvice() {}

  /** Marks the parameter that gets the field with the route. */
  @Retention(RetentionPolicy.RUNTIME)
  @interface Route {}

  @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
  static Object enter(
      @Route BiFunction<Object, Object[], Object> route,
      @Advice.This Object callee,
      @Advice.AllArguments Object[] arguments) {
    return route == null ? null : route.apply(callee, arguments);
  }

  @Advice.OnMethodExit
  @SuppressWarnings({"ParameterReassignment", "UnusedVariable"}) // woven into Spark, never run here
  static void exit(
      @Advice.Enter Object routed,
      @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object returned) {
    if (routed != null) {
      returned = routed;
    }
  }
}
