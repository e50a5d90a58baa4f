package io.sparkata.report;

import java.util.Optional;

/**
 * A training by Spark ATA.
 *
 * @param seconds of all rounds, summed
 * @param packSeconds of packing
 * @param isPackingASum whether packing was the first sum too, besides the rounds
 * @param lacking whose memory limited the last round, if anyone's did
 * @param saved over equal shares; empty if that is not known
 * @param unmeasured an executor that had too few rows, so that at least as much was saved
 */
record TrainedSummary(
    int rounds,
    double seconds,
    double packSeconds,
    boolean isPackingASum,
    MovedRows moved,
    Optional<LackingMemory> lacking,
    Optional<SavedSeconds> saved,
    Optional<String> unmeasured,
    Optional<SlowestExecutor> slowest) {

  /** The saving of reports: none if it may be a loss by an executor that had too few rows. */
  Optional<SavedSeconds> knownSaved() {
    return saved.filter(one -> unmeasured.isEmpty() || one.low() > 0);
  }
}
