package io.sparkata.report;

import java.util.Map;
import java.util.Optional;

/**
 * A training by MLlib that was observed.
 *
 * @param seconds of all rounds, summed
 * @param saved what allocation would have saved of them; empty if that is not known
 * @param speeds of the executors, in any one unit
 */
public record ObservedSummary(
    int rounds,
    double seconds,
    Optional<SavedSeconds> saved,
    Map<String, Double> speeds,
    Optional<SlowestExecutor> slowest) {}
