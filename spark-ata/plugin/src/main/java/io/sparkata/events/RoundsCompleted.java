package io.sparkata.events;

import java.util.List;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * The rounds since the last such event: at most one event a second. Each of the first rounds is
 * there for itself; later ones are summed up, about 400 sums for 10,000 rounds.
 *
 * @param training number of the training
 * @param time of the end of the last of them, in milliseconds since 1970
 * @param rounds in their order
 */
public record RoundsCompleted(long training, long time, List<Rounds> rounds)
    implements SparkListenerEvent {}
