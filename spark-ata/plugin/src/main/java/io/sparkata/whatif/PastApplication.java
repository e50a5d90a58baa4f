package io.sparkata.whatif;

import io.sparkata.cache.PastStages.Past;
import io.sparkata.report.SavedSeconds;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a log says of an application.
 *
 * @param log its path
 * @param seconds from its start to its last event
 * @param executors that it ever had
 * @param byAta how many trainings Spark ATA ran in it
 * @param secondsInRounds in which at least one of the trainings that Spark ATA serves ran a round
 * @param trainings by Spark, the largest saving first
 * @param secondsInStages in which at least one other stage over cached partitions ran
 * @param stages these, the largest saving first
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
    List<PastTraining> trainings,
    double secondsInStages,
    List<Past> stages) {

  SavedSeconds saved() {
    return savedByTrainings().plus(savedByStages());
  }

  SavedSeconds savedByTrainings() {
    return sum(trainings.stream().flatMap(one -> one.saved().stream()), secondsInRounds);
  }

  SavedSeconds savedByStages() {
    return sum(stages.stream().filter(Past::isCertain).map(Past::saved), secondsInStages);
  }

  /** All together: some may have run at the same time, and waited for each other. */
  private static SavedSeconds sum(Stream<SavedSeconds> saved, double most) {
    SavedSeconds sum = saved.reduce(SavedSeconds.NOTHING, SavedSeconds::plus);
    return new SavedSeconds(
        Math.min(sum.seconds(), most), Math.min(sum.low(), most), Math.min(sum.high(), most));
  }
}
