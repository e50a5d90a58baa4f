package io.sparkata.allocation;

/**
 * The assumed speed of a worker that this job has not seen, as pseudo-counts: as if {@code units}
 * units had taken {@code mean} each. The paper (arXiv 2502.00775) starts from means of earlier runs
 * but publishes no formula.
 *
 * @param mean time per unit, greater than 0 and finite
 * @param units weight of the prior in units, greater than 0 and finite
 */
public record Prior(double mean, double units) {

  /** Rejects zero, negative numbers, NaN and infinity. */
  public Prior {
    check("mean", mean);
    check("units", units);
  }

  private static void check(String name, double value) {
    if (!Checks.isPositive(value)) {
      throw new IllegalArgumentException(
          "Invalid " + name + " of a prior: " + value + " (greater than 0 and finite)");
    }
  }
}
