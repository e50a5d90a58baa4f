package io.sparkata.events;

import java.util.List;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * The end of a training that Spark ATA ran or observed.
 *
 * @param training its number
 * @param time in milliseconds since 1970
 * @param outcome how it ended
 * @param rounds how many in all
 * @param seconds in rounds
 * @param packSeconds in packing
 * @param savedSeconds over even shares, or what allocation would have saved; null if not known
 * @param savedLow the least that is likely; null if not known
 * @param savedHigh the most that is likely; null if not known, or if only the least is
 * @param report the lines that the driver has logged, or what failed
 */
public record TrainingEnded(
    long training,
    long time,
    Outcome outcome,
    int rounds,
    double seconds,
    double packSeconds,
    Double savedSeconds,
    Double savedLow,
    Double savedHigh,
    List<String> report)
    implements SparkListenerEvent {

  /** How a training ended. */
  public enum Outcome {
    /** All rounds were allocated. */
    ALLOCATED,
    /** Spark ran the last rounds. */
    HANDED_OVER,
    /** Spark ran all rounds, and Spark ATA observed them. */
    OBSERVED,
    /** It threw an exception, or was cancelled. */
    FAILED
  }
}
