package io.sparkata.whatif;

import io.sparkata.report.SavedSeconds;
import java.util.List;

/**
 * What a log says of an application.
 *
 * @param log its path
 * @param seconds from its start to its last event
 * @param executors that it ever had
 * @param byAta how many trainings Spark ATA ran in it
 * @param secondsInRounds in which at least one of the trainings that Spark ATA serves ran a round
 * @param trainings by Spark, the largest saving first
 */
record PastApplication(
    String log,
    String id,
    String name,
    String sparkVersion,
    double seconds,
    int executors,
    int byAta,
    double secondsInRounds,
    List<PastTraining> trainings) {

  /** All trainings together: some may have run at the same time, and waited for each other. */
  SavedSeconds saved() {
    SavedSeconds sum =
        trainings.stream()
            .flatMap(one -> one.saved().stream())
            .reduce(SavedSeconds.NOTHING, SavedSeconds::plus);
    return new SavedSeconds(
        Math.min(sum.seconds(), secondsInRounds),
        Math.min(sum.low(), secondsInRounds),
        Math.min(sum.high(), secondsInRounds));
  }
}
