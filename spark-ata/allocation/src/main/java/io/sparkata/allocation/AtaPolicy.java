package io.sparkata.allocation;

import java.util.OptionalDouble;

/**
 * ATA as published (arXiv 2502.00775): s_i = mean_i - width alpha w_i, with one alpha for all
 * workers; the rest as in {@link LowerBoundPolicy}.
 *
 * <p>{@link #RUNS_WIDTH} and alpha = 2 max mu_i, of the true means, give the published runs. The
 * posters cut bounds off at zero and do not say which worker then gets work. The runs do not cut
 * them off, and neither does this class.
 *
 * <p>Differs from the paper in: if alpha is not given, it is estimated in every round, as twice the
 * largest mean among the sampled workers present (2 is exact for exponential times).
 */
final class AtaPolicy extends LowerBoundPolicy {

  static final String ID = "ata";

  /** Width on the first poster. */
  static final double FIRST_POSTER_WIDTH = 4 * Math.E;

  /** Width on the ICML poster. */
  static final double ICML_POSTER_WIDTH = 2 * Math.E;

  /** Width in the authors' runs, the one behind the published figures. */
  static final double RUNS_WIDTH = 4 * Math.E;

  private final OptionalDouble given;

  AtaPolicy(PolicySettings settings) {
    super(settings, RUNS_WIDTH);
    given = settings.alpha();
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  double alpha(double mean, double largestMean) {
    return given.isPresent() ? given.getAsDouble() : 2 * largestMean;
  }
}
