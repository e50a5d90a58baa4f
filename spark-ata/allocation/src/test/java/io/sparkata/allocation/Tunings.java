package io.sparkata.allocation;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** Variants of {@link AdaptiveTuning#DEFAULT} by the names of its components. */
final class Tunings {

  private Tunings() {}

  /** All components, in order. */
  static List<String> names() {
    return Arrays.stream(AdaptiveTuning.class.getRecordComponents())
        .map(RecordComponent::getName)
        .toList();
  }

  static double value(String name) {
    return values()[index(name)];
  }

  /** The default with another value of one component. */
  static AdaptiveTuning with(String name, double value) {
    double[] values = values();
    values[index(name)] = value;
    try {
      Class<?>[] types = new Class<?>[values.length];
      Arrays.fill(types, double.class);
      Constructor<AdaptiveTuning> constructor = AdaptiveTuning.class.getDeclaredConstructor(types);
      return constructor.newInstance(Arrays.stream(values).boxed().toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Cannot vary AdaptiveTuning: not all of it are doubles", e);
    }
  }

  private static int index(String name) {
    int index = names().indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "Invalid constant: '" + name + "' (one of " + String.join(", ", names()) + ")");
    }
    return index;
  }

  private static double[] values() {
    return Arrays.stream(AdaptiveTuning.class.getRecordComponents())
        .mapToDouble(Tunings::defaultOf)
        .toArray();
  }

  private static double defaultOf(RecordComponent component) {
    try {
      return (double) component.getAccessor().invoke(AdaptiveTuning.DEFAULT);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Cannot read AdaptiveTuning." + component.getName(), e);
    }
  }
}
