package io.sparkata.memory;

import java.util.Comparator;

/**
 * Identifies a speed: of which executor or host, at which kernel.
 *
 * @param place an executor's id, or a host
 * @param kernel the kind of kernel, such as {@code logistic dense}
 */
record SpeedKey(String place, String kernel) implements Comparable<SpeedKey> {
  private static final Comparator<SpeedKey> ORDER =
      Comparator.comparing(SpeedKey::place).thenComparing(SpeedKey::kernel);

  @Override
  public int compareTo(SpeedKey other) {
    return ORDER.compare(this, other);
  }
}
