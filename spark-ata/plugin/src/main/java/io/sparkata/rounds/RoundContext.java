package io.sparkata.rounds;

import io.sparkata.cluster.Cluster;
import io.sparkata.cluster.Counters;
import io.sparkata.cluster.ExecutorDemand;
import io.sparkata.memory.Speeds;
import io.sparkata.report.TrainingReport;
import io.sparkata.spark.JobDescriptions;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What a training's rounds share with the application.
 *
 * @param demand requests executors; closed with the rounds
 * @param speeds remembered after the training
 * @param log of the training
 * @param report of the training; empty for none
 * @param descriptions of its jobs
 * @param clock nanoseconds that only grow
 */
public record RoundContext(
    Cluster cluster,
    ExecutorDemand demand,
    Speeds speeds,
    Counters counters,
    RoundLog log,
    Optional<TrainingReport> report,
    JobDescriptions descriptions,
    LongSupplier clock) {

  /** Without a report and descriptions. */
  public RoundContext(
      Cluster cluster,
      ExecutorDemand demand,
      Speeds speeds,
      Counters counters,
      RoundLog log,
      LongSupplier clock) {
    this(cluster, demand, speeds, counters, log, Optional.empty(), JobDescriptions.none(), clock);
  }
}
