package io.sparkata.routing;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.function.Function;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.description.modifier.FieldManifestation;
import net.bytebuddy.description.modifier.Ownership;
import net.bytebuddy.description.modifier.TypeManifestation;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.dynamic.scaffold.subclass.ConstructorStrategy;

/**
 * Routes MLlib's {@code GradientDescent$.runMiniBatchSGD}, which all its callers use, to Spark ATA.
 * It rewrites the method's bytecode in the running JVM, by self-attachment or through {@link
 * RoutingAgent}; {@link #close} restores it. At most one route is open in a JVM.
 *
 * <p>The woven code calls a JDK function from a static field, because MLlib's class loader may not
 * see our classes: a jar on {@code --jars} has a child loader. The field's class is defined once
 * per JVM in MLlib's package and stays there, empty, after {@link #close}.
 */
public final class MllibRoute implements AutoCloseable {
  private static final String TARGET = "org.apache.spark.mllib.optimization.GradientDescent$";
  private static final String METHOD = "runMiniBatchSGD";
  private static final int ARGUMENTS = 9;
  private static final String HOLDER = "org.apache.spark.mllib.optimization.SparkAtaRoute";
  private static final String FIELD = "route";

  /** The open route of this JVM. It outlives a SparkContext that failed to start. */
  private static MllibRoute current;

  private final Instrumentation instrumentation;
  private final Class<?> target;
  private final Weaver weaver;
  private final Field route;

  private MllibRoute(Instrumentation instrumentation, Class<?> target, Field route) {
    this.instrumentation = instrumentation;
    this.target = target;
    this.route = route;
    this.weaver = new Weaver(target, METHOD, ARGUMENTS, route);
  }

  /**
   * Opens the route; closes one that a SparkContext left open.
   *
   * @param destination receives the nine arguments and returns the caller's result, or null to
   *     leave the call to MLlib
   * @throws RoutingException if MLlib is absent or the JVM forbids changing its classes
   */
  public static synchronized MllibRoute open(Function<Object[], Object> destination)
      throws RoutingException {
    try {
      if (current != null) {
        current.close();
      }
      Class<?> target =
          Class.forName(TARGET, /* initialize= */ false, MllibRoute.class.getClassLoader());
      Field route = holder(target).getField(FIELD);
      MllibRoute opened = new MllibRoute(instrumentation(), target, route);
      opened.weave(destination);
      current = opened;
      return opened;
    } catch (ReflectiveOperationException
        | IOException
        | UnmodifiableClassException
        | RuntimeException
        | LinkageError error) {
      throw new RoutingException(error.toString(), error);
    }
  }

  private static Instrumentation instrumentation() {
    Instrumentation given = RoutingAgent.find();
    return given != null ? given : ByteBuddyAgent.install();
  }

  private void weave(Function<Object[], Object> destination)
      throws RoutingException, UnmodifiableClassException, IllegalAccessException {
    instrumentation.addTransformer(weaver, /* canRetransform= */ true);
    try {
      instrumentation.retransformClasses(target);
      weaver.check();
      route.set(null, destination);
    } finally {
      if (route.get(null) != destination) {
        instrumentation.removeTransformer(weaver);
      }
    }
  }

  /**
   * The class with the field, in the package of {@code target}; defined if it does not exist yet.
   */
  private static Class<?> holder(Class<?> target) throws ReflectiveOperationException, IOException {
    ClassLoader loader = target.getClassLoader();
    try {
      return Class.forName(HOLDER, /* initialize= */ true, loader);
    } catch (ClassNotFoundException first) {
      try (DynamicType.Unloaded<?> made =
          new ByteBuddy()
              .subclass(Object.class, ConstructorStrategy.Default.NO_CONSTRUCTORS)
              .name(HOLDER)
              .modifiers(Visibility.PUBLIC, TypeManifestation.FINAL)
              .defineField(
                  FIELD,
                  Function.class,
                  Visibility.PUBLIC,
                  Ownership.STATIC,
                  FieldManifestation.VOLATILE)
              .make()) {
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(target, MethodHandles.lookup());
        return made.load(loader, ClassLoadingStrategy.UsingLookup.of(lookup)).getLoaded();
      }
    }
  }

  /** Restores MLlib's bytecode; calls in progress continue. */
  @Override
  public void close() {
    synchronized (MllibRoute.class) {
      if (current == this) {
        current = null;
        unweave();
      }
    }
  }

  private void unweave() {
    try {
      route.set(null, null);
      instrumentation.removeTransformer(weaver);
      instrumentation.retransformClasses(target);
    } catch (IllegalAccessException | UnmodifiableClassException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
