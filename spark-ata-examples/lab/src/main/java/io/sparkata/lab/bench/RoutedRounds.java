package io.sparkata.lab.bench;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.lab.RunFailure;
import org.apache.spark.SparkContext;

/**
 * The evaluations that Spark ATA answers in an application.
 *
 * @param before so many so far
 */
record RoutedRounds(SparkContext context, long before) {

  static RoutedRounds of(SparkContext context) {
    return new RoutedRounds(context, count(context));
  }

  /**
   * Checks that a side is what it is called.
   *
   * @param side and {@code work} for the message
   * @param isRouted whether Spark ATA is to answer the side's evaluations, or Spark
   * @return the evaluations that Spark ATA has answered since this object was made
   * @throws RunFailure if it is not so
   */
  long require(String side, String work, boolean isRouted) {
    return require(side, work, isRouted, count(context) - before);
  }

  static long require(String side, String work, boolean isRouted, long rounds) {
    if (isRouted != rounds > 0) {
      throw new RunFailure(
          "Cannot measure %s on %s: Spark ATA answered %s of its evaluations, see its log lines above."
              .formatted(side, work, isRouted ? "none" : "" + rounds));
    }
    return rounds;
  }

  /** None without Spark ATA. */
  private static long count(SparkContext context) {
    return AtaRuntime.of(context).map(runtime -> runtime.evaluations().rounds.get()).orElse(0L);
  }
}
