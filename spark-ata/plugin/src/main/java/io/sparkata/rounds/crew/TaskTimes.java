package io.sparkata.rounds.crew;

import io.sparkata.cluster.ResidentRound;
import io.sparkata.rounds.RoundPlan;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.crew.CrewProtocol.Brought;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the tasks of a training's rounds and trials took. Driver only, one thread. */
final class TaskTimes {
  /** A time per row below this share of the one before shows that a JVM still warms up. */
  private static final double STILL_FALLS = 0.7;

  /** After so many trials of an executor its time counts, whatever it was before. */
  private static final int MOST_TRIALS = 8;

  private final Map<String, Trials> trials = new HashMap<>();

  private static final class Trials {
    private int count;
    private double last = Double.POSITIVE_INFINITY;

    boolean areWarm(double nanosPerRow) {
      count++;
      boolean isWarm = nanosPerRow > STILL_FALLS * last || count >= MOST_TRIALS;
      last = nanosPerRow;
      return isWarm;
    }
  }

  /** What each task took; of the rest of an executor's time, each of its tasks took all. */
  List<ResidentRound.Task> ofRound(Brought brought, List<TaskReport> tasks, RoundPlan plan) {
    return tasks.stream()
        .map(
            task -> {
              long rest = brought.nanos() - task.kernelNanos - task.fetchNanos;
              return of(task, Math.max(0, rest), plan);
            })
        .toList();
  }

  /**
   * What a trial took, once it shows its executor's speed: on a twentieth of a core, the first
   * takes 60 times as long per row as later ones. Its time besides the kernel shows nothing.
   */
  List<ResidentRound.Task> ofTrial(List<TaskReport> tasks, RoundPlan plan) {
    return tasks.stream()
        .filter(task -> task.sampledRows > 0 && isWarm(task))
        .map(task -> of(task, /* overheadNanos= */ 0, plan))
        .toList();
  }

  private boolean isWarm(TaskReport task) {
    return trials
        .computeIfAbsent(task.executorId, unused -> new Trials())
        .areWarm((double) task.kernelNanos / (double) task.sampledRows);
  }

  private static ResidentRound.Task of(TaskReport task, long overheadNanos, RoundPlan plan) {
    int position = plan.members().position(task.executorId);
    return new ResidentRound.Task(
        task.executorId,
        position < 0 ? 1 : plan.members().get(position).slots(),
        task.sampledRows,
        task.kernelNanos,
        task.fetchNanos,
        overheadNanos,
        plan.contended().contains(task.executorId));
  }
}
