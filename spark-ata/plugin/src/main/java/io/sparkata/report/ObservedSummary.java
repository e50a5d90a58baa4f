package io.sparkata.report;

import java.util.Map;
import java.util.Optional;

/**
 * A training by MLlib that was observed.
 *
 * @param seconds of all rounds, summed
 * @param allocatedSeconds what they would have taken with allocation
 * @param speeds of the executors, in any one unit
 */
public record ObservedSummary(
    int rounds,
    double seconds,
    double allocatedSeconds,
    Map<String, Double> speeds,
    Optional<SlowestExecutor> slowest) {}
