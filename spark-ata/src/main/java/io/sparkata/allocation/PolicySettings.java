package io.sparkata.allocation;

import java.util.OptionalDouble;

/**
 * The plain numbers that a policy is built from.
 *
 * @param seed of the random choices, such as who gets the remainder of an even split
 * @param width factor of the confidence width, greater than 0 and finite; empty means the policy's
 *     own default
 */
public record PolicySettings(long seed, OptionalDouble width) {

  /** Rejects a width at or below zero, which would end exploration, NaN and infinity. */
  public PolicySettings {
    if (width.isPresent() && !Checks.isPositive(width.getAsDouble())) {
      throw new IllegalArgumentException(
          "Invalid width: " + width.getAsDouble() + " (greater than 0 and finite)");
    }
  }

  /** Seed 42, as in MLlib's own sampling, and every policy's default width. */
  public static PolicySettings defaults() {
    return new PolicySettings(42, OptionalDouble.empty());
  }

  /** These settings with another seed. */
  public PolicySettings withSeed(long newSeed) {
    return new PolicySettings(newSeed, width);
  }

  /** These settings with another width. */
  public PolicySettings withWidth(double newWidth) {
    return new PolicySettings(seed, OptionalDouble.of(newWidth));
  }
}
