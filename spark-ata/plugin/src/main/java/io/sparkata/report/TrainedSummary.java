package io.sparkata.report;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A training by Spark ATA.
 *
 * @param seconds of all rounds, summed
 * @param evenSeconds what they would have taken with equal shares
 * @param packSeconds of packing
 * @param isPackingASum whether packing was the first sum too, besides the rounds
 * @param paidBackAfter rounds after which allocation had saved what packing took
 * @param usedSeconds that slots worked for the sums
 * @param droppedSeconds that they worked in vain, under the policy greedy
 */
record TrainedSummary(
    int rounds,
    double seconds,
    double evenSeconds,
    double packSeconds,
    boolean isPackingASum,
    OptionalInt paidBackAfter,
    double usedSeconds,
    double droppedSeconds,
    Optional<SlowestExecutor> slowest) {}
