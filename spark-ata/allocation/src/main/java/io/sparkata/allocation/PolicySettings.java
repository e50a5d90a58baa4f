package io.sparkata.allocation;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * The numbers that a policy is built from. Each policy reads those that it knows.
 *
 * @param seed of the random choices, such as which worker gets the remainder of an even split
 * @param width factor of the confidence width, greater than 0 and finite; empty means the policy's
 *     own default
 * @param alpha the paper's bound on the time per unit of every worker (psi-1 norm), in the caller's
 *     unit of time; empty means estimated
 * @param eta the paper's bound on alpha_i / mu_i; empty means 2, which exponential times have
 * @param priors by worker: beliefs for the policies that learn, the given means for those that do
 *     not
 */
public record PolicySettings(
    long seed,
    OptionalDouble width,
    OptionalDouble alpha,
    OptionalDouble eta,
    Map<String, Prior> priors) {

  /** Rejects numbers at or below zero, NaN and infinity: they would end exploration. */
  public PolicySettings {
    check("width", width);
    check("alpha", alpha);
    check("eta", eta);
    priors = Map.copyOf(priors);
  }

  /** Seed 42, as in MLlib's own sampling, the defaults of each policy, no priors. */
  public static PolicySettings defaults() {
    OptionalDouble own = OptionalDouble.empty();
    return new PolicySettings(42, own, own, own, Map.of());
  }

  /** These settings with another seed. */
  public PolicySettings withSeed(long newSeed) {
    return new PolicySettings(newSeed, width, alpha, eta, priors);
  }

  /** These settings with another width. */
  public PolicySettings withWidth(double newWidth) {
    return new PolicySettings(seed, OptionalDouble.of(newWidth), alpha, eta, priors);
  }

  /** These settings with another alpha. */
  public PolicySettings withAlpha(double newAlpha) {
    return new PolicySettings(seed, width, OptionalDouble.of(newAlpha), eta, priors);
  }

  /** These settings with another eta. */
  public PolicySettings withEta(double newEta) {
    return new PolicySettings(seed, width, alpha, OptionalDouble.of(newEta), priors);
  }

  /** These settings with other priors. */
  public PolicySettings withPriors(Map<String, Prior> newPriors) {
    return new PolicySettings(seed, width, alpha, eta, newPriors);
  }

  private static void check(String name, OptionalDouble value) {
    if (value.isPresent() && !Checks.isPositive(value.getAsDouble())) {
      throw new IllegalArgumentException(
          "Invalid " + name + ": " + value.getAsDouble() + " (greater than 0 and finite)");
    }
  }
}
