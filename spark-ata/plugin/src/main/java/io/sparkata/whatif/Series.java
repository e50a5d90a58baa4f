package io.sparkata.whatif;

import io.sparkata.observation.ObservedRound;
import io.sparkata.observation.ObservedRounds;
import io.sparkata.observation.StageData;
import io.sparkata.report.CallSite;
import io.sparkata.report.ObservedSummary;
import io.sparkata.report.SavedSeconds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.scheduler.StageInfo;

/** The jobs so far that belong to one training. */
final class Series {
  /** Fewer jobs are no training; the first one says nothing. */
  private static final int LEAST_ROUNDS = SavedSeconds.LEAST_ROUNDS + 1;

  /** Less of the time in rounds is no saving that a user would feel. */
  private static final double LEAST_SHARE = 0.02;

  private static final String LBFGS = "lbfgs";

  private static final Pattern FRAME =
      Pattern.compile("(?:.*/)?([\\w.$]+)\\.([\\w$<>]+)\\(([^:()]*)(?::(\\d+))?\\)");

  private final String name;
  private final String route;
  private final StageData data;
  private final ObservedRounds rounds = new ObservedRounds();
  private int count;
  private double seconds;

  /**
   * What the jobs have in common.
   *
   * @param stage its name
   * @param data id of the RDD that they sum over
   */
  record Key(String stage, int tasks, int data) {}

  private Series(String name, String route, StageData data) {
    this.name = name;
    this.route = route;
    this.data = data;
  }

  /** Begins with a job that has this stage. */
  static Series of(StageInfo stage, StageData data) {
    return new Series(name(stage), StageData.route(stage.name()).orElseThrow(), data);
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

  void add(ObservedRound round) {
    count++;
    seconds += round.seconds();
    if (canSave()) { // nothing is learned of others
      rounds.add(data.isCounted() ? round : round.uncounted(), /* isCaching= */ count == 1);
    }
  }

  /** Whether its data are such that Spark ATA serves it. */
  boolean canSave() {
    return data.isObjects() || !route.equals(LBFGS);
  }

  /** Empty if the jobs are too few to be a training. */
  Optional<PastTraining> training(Map<String, Integer> slots) {
    if (count < 2) {
      return Optional.empty();
    }
    ObservedSummary summary =
        canSave()
            ? rounds.summary(slots)
            : new ObservedSummary(count, seconds, Optional.empty(), Map.of(), Optional.empty());
    return Optional.of(new PastTraining(name, route, summary, why(summary)));
  }

  private String why(ObservedSummary summary) {
    if (!canSave()) {
      return "its data are not persisted in memory as objects (MEMORY_ONLY or MEMORY_AND_DISK)";
    }
    if (summary.saved().isEmpty()) {
      return "it has fewer than " + LEAST_ROUNDS + " rounds";
    }
    if (summary.speeds().size() < 2) {
      return "it ran on one executor";
    }
    return summary.saved().get().low() > LEAST_SHARE * seconds
        ? ""
        : "its executors finish together";
  }
}
