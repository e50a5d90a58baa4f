package io.sparkata.lab.checks;

/**
 * One training, or one cross validation.
 *
 * @param policy its id; {@code spark} in mode observe
 * @param callSeconds by the clock
 * @param roundSeconds in which a round ran, by the clock
 * @param packSeconds in which data were packed, by the clock
 * @param saved by the report: over even shares, or in mode observe with allocation
 * @param low the least of it
 * @param high the most of it
 * @param unknown trainings of which not all that they saved is known
 */
record ReportedTurn(
    String policy,
    double callSeconds,
    double roundSeconds,
    double packSeconds,
    double saved,
    double low,
    double high,
    int unknown) {
  /** What the report claims: nothing unless something is certain. */
  double claimed() {
    return low > 0 ? saved : 0;
  }
}
