package io.sparkata.events;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * The first rows of a training are packed, or its first round is observed. Comes again, with the
 * same figures, when Spark ATA takes back a training whose rest was left to Spark.
 *
 * @param training its number within the application, from 1
 * @param time in milliseconds since 1970
 * @param name the fit or the method, and the caller's line
 * @param kind {@code gradientDescent} or {@code lbfgs}
 * @param policy that allocates; {@value #OBSERVED} if Spark trains
 */
public record TrainingStarted(long training, long time, String name, String kind, String policy)
    implements SparkListenerEvent {
  /** The policy of a training that Spark ATA only observes. */
  public static final String OBSERVED = "observe";
}
