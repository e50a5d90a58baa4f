package io.sparkata.allocation;

/**
 * The constants of {@code adaptive}. Each was chosen by measurement. docs/paper/policies.md has the
 * ablations, docs/decisions/18-adaptive.md the alternatives.
 *
 * @param width c, factor of the confidence width in the ratio bound
 * @param risk z, standard deviations of its time that are added to a worker's load
 * @param restShare p, share of the time that may be spent on trials of resting workers
 * @param alertRounds rounds after a change in which {@code restShare} applies in full
 * @param changeThreshold sum of standardised residuals that counts as a change of speed
 * @param residualClip the most that one round adds to that sum
 * @param residualSlack what each round subtracts from it: half of the smallest shift to detect
 * @param wideShare if this share of the workers that reported changes, the others are forgotten
 */
record AdaptiveTuning(
    double width,
    double risk,
    double restShare,
    double alertRounds,
    double changeThreshold,
    double residualClip,
    double residualSlack,
    double wideShare) {

  static final AdaptiveTuning DEFAULT =
      new AdaptiveTuning(
          /* width= */ 0.1,
          /* risk= */ 1.75,
          /* restShare= */ 0.1,
          /* alertRounds= */ 50,
          /* changeThreshold= */ 18,
          /* residualClip= */ 7,
          /* residualSlack= */ 0.5,
          /* wideShare= */ 1.0 / 6);

  AdaptiveTuning withWidth(double newWidth) {
    return new AdaptiveTuning(
        newWidth,
        risk,
        restShare,
        alertRounds,
        changeThreshold,
        residualClip,
        residualSlack,
        wideShare);
  }
}
