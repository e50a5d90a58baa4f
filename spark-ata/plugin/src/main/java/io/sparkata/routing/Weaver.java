package io.sparkata.routing;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.sparkata.gate.Trouble;
import java.lang.instrument.ClassFileTransformer;
import java.lang.reflect.Field;
import java.security.ProtectionDomain;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;

/** Puts {@link RoutingAdvice} around one method of one class. */
final class Weaver implements ClassFileTransformer {
  private final Class<?> target;
  private final String method;
  private final int arguments;
  private final Field route;
  private Throwable failure;
  private boolean isWoven;

  /**
   * @param target whose {@code method} with so many {@code arguments} is woven
   * @param route static field with the function that the woven code calls
   */
  Weaver(Class<?> target, String method, int arguments, Field route) {
    this.target = target;
    this.method = method;
    this.arguments = arguments;
    this.route = route;
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
    if (type != target) {
      return null;
    }
    try {
      byte[] woven = weave(bytes);
      isWoven = true;
      return woven;
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      failure = error; // the JVM would drop it
      return null;
    }
  }

  private byte[] weave(byte[] bytes) {
    return new ByteBuddy()
        .decorate(target, ClassFileLocator.Simple.of(target.getName(), bytes))
        .visit(
            Advice.withCustomMapping()
                .bind(RoutingAdvice.Route.class, route)
                .to(RoutingAdvice.class)
                .on(named(method).and(takesArguments(arguments))))
        .make()
        .getBytes();
  }

  /**
   * Checks that the retransformation succeeded.
   *
   * @throws RoutingException if it did not
   */
  void check() throws RoutingException {
    if (!isWoven) {
      throw new RoutingException(
          failure == null
              ? "the JVM did not offer " + target.getName() + " for a change"
              : "the bytecode of " + target.getName() + " cannot be changed: " + failure,
          failure);
    }
  }
}
