package io.sparkata.testing;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;

import io.sparkata.gate.Trouble;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;

/** Injects failures into our own methods by bytecode, so that the product needs no hook for it. */
public final class Faults implements AutoCloseable {
  /** In the message of every exception thrown on purpose. */
  public static final String MESSAGE = "broken on purpose";

  private static final Map<String, Faults> ARMED = new ConcurrentHashMap<>();

  private final Instrumentation instrumentation = ByteBuddyAgent.install();
  private final AtomicInteger calls = new AtomicInteger();
  private final Class<?> type;
  private final ClassFileTransformer transformer;
  private final int from;
  private final Consumer<Object[]> action;

  private Faults(Class<?> type, String method, int from, Consumer<Object[]> action) {
    this.type = type;
    this.from = from;
    this.action = action;
    this.transformer = transformer(method);
  }

  /**
   * Runs {@code action} with the arguments at the start of each call of a method, from the given
   * call on, in this JVM; what it throws, the method throws.
   *
   * @param method its name, or {@code <init>}
   * @param from counted from 1
   */
  public static Faults at(String type, String method, int from, Consumer<Object[]> action) {
    try {
      Class<?> found = Class.forName(type);
      if (!method.equals("<init>")
          && Arrays.stream(found.getDeclaredMethods()).noneMatch(m -> m.getName().equals(method))) {
        throw new IllegalArgumentException("there is no " + type + "." + method);
      }
      Faults faults = new Faults(found, method, from, action);
      ARMED.put(type, faults);
      faults.instrumentation.addTransformer(faults.transformer, /* canRetransform= */ true);
      faults.instrumentation.retransformClasses(faults.type);
      return faults;
    } catch (ReflectiveOperationException | UnmodifiableClassException error) {
      throw new IllegalArgumentException(error);
    }
  }

  /** The kinds of our own failures. */
  public enum Kind {
    EXCEPTION,
    /** Of a jar that does not fit. */
    LINKAGE,
    /** Of Scala's assert, or of a user's policy. */
    ASSERTION,
    STACK_OVERFLOW,
    /** Of a broken file in META-INF/services. */
    SERVICE;

    /** Throws one. */
    @SuppressWarnings("DoNotCallSuggester") // it is meant to be called
    public void strike() {
      throw Trouble.<RuntimeException>unchecked(
          switch (this) {
            case EXCEPTION -> new IllegalStateException(MESSAGE);
            case LINKAGE -> new NoClassDefFoundError(MESSAGE);
            case ASSERTION -> new AssertionError(MESSAGE);
            case STACK_OVERFLOW -> new StackOverflowError(MESSAGE);
            case SERVICE -> new ServiceConfigurationError(MESSAGE);
          });
    }
  }

  private ClassFileTransformer transformer(String method) {
    return new ClassFileTransformer() {
      @Override
      public byte[] transform(
          ClassLoader loader, String name, Class<?> seen, ProtectionDomain domain, byte[] bytes) {
        return seen != type
            ? null
            : new ByteBuddy()
                .decorate(type, ClassFileLocator.Simple.of(type.getName(), bytes))
                .visit(
                    Advice.to(Strike.class)
                        .on(method.equals("<init>") ? isConstructor() : named(method)))
                .make()
                .getBytes();
      }
    };
  }

  /** Called by woven code. */
  public static void strike(String type, Object[] arguments) {
    Faults faults = ARMED.get(type);
    if (faults != null && faults.calls.incrementAndGet() >= faults.from) {
      faults.action.accept(arguments);
    }
  }

  @Override
  public void close() {
    ARMED.remove(type.getName());
    try {
      instrumentation.removeTransformer(transformer);
      instrumentation.retransformClasses(type);
    } catch (UnmodifiableClassException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static final class Strike {
    @Advice.OnMethodEnter
    static void enter(@Advice.Origin("#t") String type, @Advice.AllArguments Object[] arguments) {
      strike(type, arguments);
    }
  }
}
