package io.sparkata.routing;

import static net.bytebuddy.matcher.ElementMatchers.hasDescriptor;
import static net.bytebuddy.matcher.ElementMatchers.named;

import io.sparkata.gate.Trouble;
import java.lang.instrument.ClassFileTransformer;
import java.lang.reflect.Field;
import java.security.ProtectionDomain;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.jar.asm.MethodVisitor;

/** Puts {@link RoutingAdvice} around the method of one {@link WeavePoint}. */
final class Weaver implements ClassFileTransformer {
  private final Class<?> target;
  private final WeavePoint point;
  private final Advice advice;
  private Throwable failure;
  private boolean isOffered;
  private boolean isWoven;

  /**
   * @param target the class of {@code point}
   * @param route static field with the function that the woven code calls
   */
  Weaver(Class<?> target, WeavePoint point, Field route) {
    this.target = target;
    this.point = point;
    this.advice =
        Advice.withCustomMapping().bind(RoutingAdvice.Route.class, route).to(RoutingAdvice.class);
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
    if (type != target) {
      return null;
    }
    isOffered = true;
    try {
      return weave(bytes);
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
            new AsmVisitorWrapper.ForDeclaredMethods()
                .method(
                    named(point.method()).and(hasDescriptor(point.descriptor())),
                    (type, method, visitor, context, pool, writerFlags, readerFlags) -> {
                      MethodVisitor woven =
                          advice.wrap(
                              type, method, visitor, context, pool, writerFlags, readerFlags);
                      isWoven |= woven != visitor;
                      return woven;
                    }))
        .make()
        .getBytes();
  }

  /**
   * Checks that the retransformation has changed the method.
   *
   * @throws RoutingException if it has not
   */
  void check() throws RoutingException {
    if (failure != null) {
      throw new RoutingException(
          "the bytecode of " + point.type() + " cannot be changed: " + failure, failure);
    }
    if (!isWoven) {
      throw new RoutingException(
          isOffered
              ? point.type() + " has no method " + point.method() + point.descriptor()
              : "the JVM did not offer " + point.type() + " for a change",
          null);
    }
  }
}
