package io.sparkata.rounds.crew;

import io.sparkata.cluster.ResidentRound;
import io.sparkata.gate.Trouble;
import io.sparkata.rounds.Round;
import io.sparkata.rounds.RoundPlan;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.crew.CrewProtocol.Brought;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trials of a training's executors: whose turn it is, and which of their times show a speed. On
 * a twentieth of a core, the first took 60 times as long per row as later ones. Driver only, one
 * thread.
 */
final class SpeedTrials {
  private static final Logger LOG = LoggerFactory.getLogger(SpeedTrials.class);

  /** A time per row below this share of the one before shows that a JVM still warms up. */
  private static final double STILL_FALLS = 0.7;

  /** After so many times the next one counts, whatever it is. */
  private static final int MOST_COLD = 7;

  /** After so many trials that have failed or were cut off, an executor gets rows instead. */
  private static final int MOST_LOST = 4;

  /**
   * Rounds until an executor is tried again: its speed is known by then, unless it is forgotten.
   */
  private static final int REST_ROUNDS = 20;

  private final Map<String, Tried> byExecutor = new HashMap<>();

  private static final class Tried {
    private int cold;
    private double last = Double.POSITIVE_INFINITY;
    private int lost;
    private int rest;
  }

  private Tried of(String executorId) {
    return byExecutor.computeIfAbsent(executorId, unused -> new Tried());
  }

  /** Whether trials can show this executor's speed. */
  boolean canShow(String executorId) {
    return of(executorId).lost < MOST_LOST;
  }

  /** Of the trials that a round may give, those whose turn it is. */
  private List<RoundTask> due(List<RoundTask> planned) {
    List<RoundTask> due = planned.stream().filter(task -> of(task.executorId()).rest == 0).toList();
    byExecutor.values().forEach(one -> one.rest = Math.max(0, one.rest - 1));
    return due;
  }

  /**
   * The trials of a round whose turn it is; nothing if they cannot be sent. To be called once per
   * round.
   *
   * @param toBytes makes bytes of what goes to executors
   */
  Handout handout(Round<?> round, Function<Object, byte[]> toBytes) {
    List<RoundTask> due = due(round.plan().trials());
    if (due.isEmpty()) {
      return Handout.NOTHING;
    }
    try {
      return Handout.of(round.summand().lasting(), round.rows(), due, toBytes);
    } catch (Throwable error) { // the round does without them
      Trouble.rethrowFatal(error);
      RoundTask.byExecutor(due).keySet().forEach(id -> lost(id, error.toString()));
      return Handout.NOTHING;
    }
  }

  /** Receives a trial that has failed, or whose crew has ended before it. */
  void lost(String executorId, String reason) {
    Tried own = of(executorId);
    own.lost++;
    if (own.lost == MOST_LOST) {
      LOG.info(
          "Spark ATA: executor {} gets rows, though its speed is unknown: {} trials have failed,"
              + " the last one: {}",
          executorId,
          own.lost,
          reason);
    }
  }

  /**
   * Receives what trials have brought.
   *
   * @param result gets what they have fetched
   * @param decode makes a {@link RoundResult} of bytes
   * @return what shows speeds
   */
  List<ResidentRound.Task> take(
      List<Brought> brought,
      RoundPlan plan,
      RoundResult<?> result,
      Function<byte[], Object> decode) {
    List<ResidentRound.Task> took = new ArrayList<>();
    for (Brought one : brought) {
      try {
        if (one.done().failure() != null) {
          throw new CrewTrouble(one.done().failure());
        }
        List<TaskReport> reports = ((RoundResult<?>) decode.apply(one.done().sum())).reports();
        took.addAll(took(one.executorId(), reports, plan.slots(one.executorId())));
        reports.forEach(report -> result.report(report.ofTrial()));
      } catch (Throwable error) { // its sum is not needed
        Trouble.rethrowFatal(error);
        lost(one.executorId(), error.getMessage());
      }
    }
    return took;
  }

  /** Nothing while the executor's JVM warms up, or if no row was sampled. */
  private List<ResidentRound.Task> took(String executorId, List<TaskReport> tasks, int slots) {
    long rows = tasks.stream().mapToLong(task -> task.sampledRows).sum();
    long nanos = tasks.stream().mapToLong(task -> task.kernelNanos).sum();
    if (rows == 0 || !isWarm(of(executorId), (double) nanos / (double) rows)) {
      return List.of();
    }
    return tasks.stream()
        .map(
            task ->
                new ResidentRound.Task(
                    executorId,
                    slots,
                    task.sampledRows,
                    task.kernelNanos,
                    task.fetchNanos,
                    ResidentRound.OF_TRIAL,
                    /* contended= */ false))
        .toList();
  }

  private static boolean isWarm(Tried own, double nanosPerRow) {
    boolean isWarm = nanosPerRow > STILL_FALLS * own.last || own.cold == MOST_COLD;
    own.last = nanosPerRow;
    own.cold++;
    if (isWarm) {
      own.rest = REST_ROUNDS;
      own.cold = 0;
      own.last = Double.POSITIVE_INFINITY;
      own.lost = 0;
    }
    return isWarm;
  }
}
