package io.sparkata.allocation;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.List;

/** Policies by the value of {@code spark.ata.policy}: an id, or the name of a caller's class. */
public final class AllocationPolicies {

  private static final List<String> IDS =
      List.of(
          AdaptivePolicy.ID,
          AtaPolicy.ID,
          AtaEmpiricalPolicy.ID,
          OptimalFixedPolicy.ID,
          ProportionalPolicy.ID,
          ProportionalControlPolicy.ID,
          SelfAdaptivePolicy.ID,
          StaticPolicy.ID,
          UniformPolicy.ID);

  private static final String GREEDY = "greedy";

  private AllocationPolicies() {}

  /** The ids of the built-in policies, sorted. */
  public static List<String> ids() {
    return IDS;
  }

  /**
   * Whether a policy learns nothing and must be given the mean time of every worker as {@link
   * PolicySettings#priors}.
   */
  public static boolean needsMeans(String idOrClassName) {
    return OptimalFixedPolicy.ID.equals(idOrClassName) || StaticPolicy.ID.equals(idOrClassName);
  }

  /**
   * Creates a policy.
   *
   * @param idOrClassName one of {@link #ids()}, or a public class that implements {@link
   *     AllocationPolicy} and has a public constructor taking {@link PolicySettings} or nothing
   * @param settings handed to the policy's constructor
   * @param loader where the class is looked up
   * @throws IllegalArgumentException if there is no such policy or its class does not fit
   */
  public static AllocationPolicy create(
      String idOrClassName, PolicySettings settings, ClassLoader loader) {
    return switch (String.valueOf(idOrClassName)) {
      case AdaptivePolicy.ID -> new AdaptivePolicy(settings);
      case AtaPolicy.ID -> new AtaPolicy(settings);
      case AtaEmpiricalPolicy.ID -> new AtaEmpiricalPolicy(settings);
      case OptimalFixedPolicy.ID -> new OptimalFixedPolicy(settings);
      case ProportionalPolicy.ID -> new ProportionalPolicy(settings);
      case ProportionalControlPolicy.ID -> new ProportionalControlPolicy(settings);
      case SelfAdaptivePolicy.ID -> new SelfAdaptivePolicy(settings);
      case StaticPolicy.ID -> new StaticPolicy(settings);
      case UniformPolicy.ID -> new UniformPolicy(settings);
      case GREEDY ->
          throw invalid(GREEDY, "it drops work, so it is no allocation; " + rule(), null);
      default -> instantiate(find(String.valueOf(idOrClassName), loader), settings);
    };
  }

  private static Class<?> find(String name, ClassLoader loader) {
    try {
      return Class.forName(name, /* initialize= */ false, loader);
    } catch (ClassNotFoundException e) {
      String missing = "this class is not on the class path. Set spark.jars=<its jar>";
      throw invalid(name, name.contains(".") ? missing : rule(), e);
    } catch (LinkageError e) {
      throw invalid(name, "this class cannot be loaded: " + e, e);
    }
  }

  private static AllocationPolicy instantiate(Class<?> type, PolicySettings settings) {
    String name = type.getName();
    if (!AllocationPolicy.class.isAssignableFrom(type)) {
      throw invalid(name, "must implement " + AllocationPolicy.class.getName(), null);
    }
    if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
      throw invalid(name, "must be a public class that is not abstract", null);
    }
    try {
      for (Constructor<?> constructor : type.getConstructors()) {
        if (List.of(constructor.getParameterTypes()).equals(List.of(PolicySettings.class))) {
          return (AllocationPolicy) constructor.newInstance(settings);
        }
      }
      return (AllocationPolicy) type.getConstructor().newInstance();
    } catch (NoSuchMethodException e) {
      throw invalid(name, "must have a public constructor taking PolicySettings or none", e);
    } catch (InvocationTargetException e) {
      throw invalid(name, "its constructor must not throw: " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw invalid(name, "must be possible to instantiate: " + e, e);
    }
  }

  private static String rule() {
    return "one of " + String.join(", ", IDS) + ", or a class name";
  }

  private static IllegalArgumentException invalid(String value, String rule, Throwable cause) {
    return new IllegalArgumentException(
        "Invalid spark.ata.policy: '" + value + "' (" + rule + ")", cause);
  }
}
