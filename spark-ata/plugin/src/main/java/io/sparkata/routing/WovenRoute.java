package io.sparkata.routing;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
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
 * Routes the calls of one {@link WeavePoint} to Spark ATA. It rewrites the method's bytecode in the
 * running JVM; {@link #close} restores it. At most one route per point is open in a JVM.
 *
 * <p>The woven code calls a JDK function from a static field, because the class loader of Spark may
 * not see our classes: a jar on {@code --jars} has a child loader. The field's class is defined
 * once per JVM in the package of the woven class and stays there, empty, after {@link #close}.
 */
public final class WovenRoute implements AutoCloseable {
  private static final String FIELD = "route";

  /** The open routes of this JVM. They outlive a SparkContext that failed to start. */
  private static final Map<WeavePoint, WovenRoute> OPEN = new HashMap<>();

  private final Instrumentation instrumentation;
  private final WeavePoint point;
  private final Class<?> target;
  private final Weaver weaver;
  private final Field route;

  private WovenRoute(
      Instrumentation instrumentation, WeavePoint point, Class<?> target, Field route) {
    this.instrumentation = instrumentation;
    this.point = point;
    this.target = target;
    this.route = route;
    this.weaver = new Weaver(target, point, route);
  }

  /**
   * What changes classes of this JVM: given by {@code -javaagent:}, or had by self-attachment.
   *
   * @throws RoutingException if the JVM forbids self-attachment
   */
  public static Instrumentation instrumentation() throws RoutingException {
    Instrumentation found = RoutingAgent.find();
    if (found != null) {
      return found;
    }
    try {
      return ByteBuddyAgent.install();
    } catch (RuntimeException | LinkageError error) {
      throw new RoutingException(error.toString(), error);
    }
  }

  /**
   * Opens the route of {@code point}; closes one that a SparkContext left open.
   *
   * @param instrumentation see {@link #instrumentation}
   * @param destination receives the object of the call and its arguments; returns the caller's
   *     result, or null to leave the call to Spark's own body
   * @throws RoutingException if the method is absent or the JVM forbids changing its class
   */
  public static WovenRoute open(
      Instrumentation instrumentation,
      WeavePoint point,
      BiFunction<Object, Object[], Object> destination)
      throws RoutingException {
    synchronized (OPEN) {
      try {
        WovenRoute old = OPEN.get(point);
        if (old != null) {
          old.close();
        }
        Class<?> target =
            Class.forName(point.type(), /* initialize= */ false, WovenRoute.class.getClassLoader());
        Field route = holder(target, point.holder()).getField(FIELD);
        WovenRoute opened = new WovenRoute(instrumentation, point, target, route);
        opened.weave(destination);
        OPEN.put(point, opened);
        return opened;
      } catch (ReflectiveOperationException
          | IOException
          | UnmodifiableClassException
          | RuntimeException
          | LinkageError error) {
        throw new RoutingException(error.toString(), error);
      }
    }
  }

  private void weave(BiFunction<Object, Object[], Object> destination)
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

  /** The class with the field, which is defined if it does not exist yet. */
  private static Class<?> holder(Class<?> target, String name)
      throws ReflectiveOperationException, IOException {
    ClassLoader loader = target.getClassLoader();
    try {
      return Class.forName(name, /* initialize= */ true, loader);
    } catch (ClassNotFoundException first) {
      try (DynamicType.Unloaded<?> made =
          new ByteBuddy()
              .subclass(Object.class, ConstructorStrategy.Default.NO_CONSTRUCTORS)
              .name(name)
              .modifiers(Visibility.PUBLIC, TypeManifestation.FINAL)
              .defineField(
                  FIELD,
                  BiFunction.class,
                  Visibility.PUBLIC,
                  Ownership.STATIC,
                  FieldManifestation.VOLATILE)
              .make()) {
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(target, MethodHandles.lookup());
        return made.load(loader, ClassLoadingStrategy.UsingLookup.of(lookup)).getLoaded();
      }
    }
  }

  /** Restores Spark's bytecode; calls in progress continue. */
  @Override
  public void close() {
    synchronized (OPEN) {
      if (OPEN.remove(point, this)) {
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
