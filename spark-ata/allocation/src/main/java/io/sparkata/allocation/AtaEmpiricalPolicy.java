package io.sparkata.allocation;

/**
 * ATA-Empirical as published (arXiv 2502.00775): s_i = mean_i (1 - width eta w_i), which is {@link
 * LowerBoundPolicy} with alpha_i = eta mean_i, so that fast workers get narrow bounds. The sign of
 * a bound depends on K_i alone.
 *
 * <p>{@link #RUNS_WIDTH} and eta = 2 give the published runs. The ICML poster cuts bounds off at
 * zero and does not say which worker then gets work. The runs do not cut them off, and neither does
 * this class.
 */
final class AtaEmpiricalPolicy extends LowerBoundPolicy {

  static final String ID = "ata-empirical";

  /** Width on the ICML poster. */
  static final double ICML_POSTER_WIDTH = 2;

  /** Width in the authors' runs, the one behind the published figures. */
  static final double RUNS_WIDTH = 4 * Math.E;

  /** Exact for exponential times. */
  static final double DEFAULT_ETA = 2;

  private final double eta;

  AtaEmpiricalPolicy(PolicySettings settings) {
    super(settings, RUNS_WIDTH);
    eta = settings.eta().orElse(DEFAULT_ETA);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  double alpha(double mean, double largestMean) {
    return eta * mean;
  }
}
