package io.sparkata.events;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * A training, or the rest of one, that Spark runs.
 *
 * @param training its number
 * @param time in milliseconds since 1970
 * @param name the fit or the method, and the caller's line
 * @param kind {@code gradientDescent}, {@code lbfgs} or {@code other}
 * @param reason identifies the reason, such as {@code ONE_EXECUTOR}
 * @param text the reason with its numbers, a clause
 * @param advice what to do so that Spark ATA runs it
 */
public record TrainingLeft(
    long training, long time, String name, String kind, String reason, String text, String advice)
    implements SparkListenerEvent {}
