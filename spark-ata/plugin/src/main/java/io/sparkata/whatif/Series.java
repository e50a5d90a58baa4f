package io.sparkata.whatif;

import io.sparkata.observation.ObservedRound;
import io.sparkata.observation.ObservedRounds;
import io.sparkata.report.CallSite;
import io.sparkata.report.ObservedSummary;
import io.sparkata.report.SavedSeconds;
import io.sparkata.spark.Scala;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;

/** The jobs so far that belong to one training. */
final class Series {
  /** Fewer jobs are no training; the first one says nothing. */
  private static final int LEAST_ROUNDS = SavedSeconds.LEAST_ROUNDS + 1;

  private static final Pattern FRAME =
      Pattern.compile("(?:.*/)?([\\w.$]+)\\.([\\w$<>]+)\\(([^:()]*)(?::(\\d+))?\\)");

  private final String name;
  private final Optional<String> route;
  private final boolean isStoredForSums;
  private final ObservedRounds rounds = new ObservedRounds();

  /**
   * What the jobs have in common.
   *
   * @param stage its name
   * @param data id of the RDD that they sum over
   */
  record Key(String stage, int tasks, int data) {}

  private Series(String name, Optional<String> route, boolean isStoredForSums) {
    this.name = name;
    this.route = route;
    this.isStoredForSums = isStoredForSums;
  }

  /** Begins with a job that has this stage. */
  static Series of(StageInfo stage, OptionalInt data) {
    boolean isStored = false;
    for (RDDInfo rdd : Scala.each(stage.rddInfos())) {
      StorageLevel level = rdd.storageLevel();
      isStored |=
          rdd.id() == data.orElse(-1)
              && level.useMemory()
              && level.deserialized()
              && !level.useOffHeap();
    }
    return new Series(name(stage), route(stage.name()), isStored);
  }

  /** The caller if the log has enough frames of its stack, else the stage's name. */
  private static String name(StageInfo stage) {
    List<StackTraceElement> frames = stage.details().lines().flatMap(Series::frame).toList();
    String site = CallSite.of(frames, stage.name());
    return site.startsWith(stage.name()) ? stage.name() : site;
  }

  private static Stream<StackTraceElement> frame(String line) {
    Matcher frame = FRAME.matcher(line.strip());
    if (!frame.matches()) {
      return Stream.empty();
    }
    int number = frame.group(4) == null ? -1 : Integer.parseInt(frame.group(4));
    return Stream.of(new StackTraceElement(frame.group(1), frame.group(2), frame.group(3), number));
  }

  /** The route that serves a stage of this name; empty if none does. */
  static Optional<String> route(String stage) {
    if (stage.contains(" at GradientDescent.scala")) {
      return Optional.of("gradientDescent");
    }
    return stage.contains(" at RDDLossFunction.scala") || stage.contains(" at LBFGS.scala")
        ? Optional.of("lbfgs")
        : Optional.empty();
  }

  boolean isServed() {
    return route.isPresent();
  }

  void add(ObservedRound round) {
    rounds.add(round, /* isCaching= */ rounds.finished() == 0);
  }

  /** Empty if the jobs are too few to be a training. */
  Optional<PastTraining> training(Map<String, Integer> slots) {
    if (rounds.finished() < 2 || (route.isEmpty() && rounds.finished() < LEAST_ROUNDS)) {
      return Optional.empty();
    }
    ObservedSummary summary = rounds.summary(slots);
    return Optional.of(new PastTraining(name, route, summary, why(summary)));
  }

  private String why(ObservedSummary summary) {
    if (route.isEmpty()) {
      return "Spark ATA serves MLlib's GradientDescent and L-BFGS only";
    }
    if (route.get().equals("lbfgs") && !isStoredForSums) {
      return "its data are not persisted in memory as objects (MEMORY_ONLY or MEMORY_AND_DISK)";
    }
    if (summary.saved().isEmpty()) {
      return "it has fewer than " + LEAST_ROUNDS + " rounds";
    }
    if (summary.speeds().size() < 2) {
      return "it ran on one executor";
    }
    return summary.saved().get().low() > 0 ? "" : "its executors finish together";
  }
}
