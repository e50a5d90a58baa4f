package io.sparkata.lab.bench;

import io.sparkata.lab.Medians;
import io.sparkata.lab.Rounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * One executor gets a quarter of its share after a third of the iterations, and its share back
 * after two thirds. Driver only.
 */
final class Slowdown {
  private static final String FACTOR = "0.25";

  /** Iterations of a third that do not count. */
  private static final int SETTLED = 10;

  /** Back at speed: so much of what the executors could do, in so many iterations in a row. */
  private static final double RECOVERED = 0.8;

  private static final int IN_A_ROW = 3;

  private final String command;
  private final int throttleAt;
  private final int releaseAt;
  private final Map<Integer, Double> pauses = new HashMap<>();

  /**
   * @param command a shell command that takes the executor's part of its share as its last
   *     argument; null for no slowdown
   */
  Slowdown(String command, int iterations) {
    this.command = command;
    this.throttleAt = iterations / 3;
    this.releaseAt = 2 * iterations / 3;
  }

  boolean isNone() {
    return command == null;
  }

  /** Changes the share where it is due, before the update after so many iterations. */
  void beforeUpdate(int iterations) {
    if (isNone() || (iterations != throttleAt && iterations != releaseAt)) {
      return;
    }
    long start = System.nanoTime();
    Shares.change(command + " " + (iterations == throttleAt ? FACTOR : "1"));
    pauses.put(iterations, (System.nanoTime() - start) / 1e9);
  }

  /** Adds the times of the rounds before, during and after it. */
  void addSeconds(Turn turn) {
    addMedians(turn, "seconds", seconds(turn));
    turn.figures().remove(Turn.SECONDS); // three conditions, three medians
  }

  private List<Double> seconds(Turn turn) {
    List<Double> ends = turn.series().get(Turn.ENDS);
    return IntStream.range(0, ends.size())
        .mapToObj(i -> ends.get(i) - (i == 0 ? 0 : ends.get(i - 1)) - pauses.getOrDefault(i, 0.0))
        .toList();
  }

  /**
   * Adds the efficiency of each round, by the speeds that the executors' kernels had meanwhile:
   * before, during or after it.
   *
   * @param batch rows of a round
   */
  void addEfficiency(Turn turn, double batch, Rounds rounds) {
    double before = RoundFigures.sum(rounds.speeds(0, throttleAt));
    double during = RoundFigures.sum(rounds.speeds(throttleAt, releaseAt));
    double after = RoundFigures.sum(rounds.speeds(releaseAt, rounds.all().size()));
    List<Double> efficiency = new ArrayList<>();
    for (double seconds : seconds(turn)) {
      int i = efficiency.size();
      double speed = i < throttleAt ? before : i < releaseAt ? during : after;
      efficiency.add(batch / speed / seconds);
    }
    addMedians(turn, "efficiency", efficiency);
    turn.series().put("efficiencyByRound", efficiency);
    addRecovery(turn, "Throttled", efficiency.subList(throttleAt, releaseAt));
    addRecovery(turn, "Released", efficiency.subList(releaseAt, efficiency.size()));
  }

  private static void addRecovery(Turn turn, String when, List<Double> efficiency) {
    turn.figures().put("roundsToRecoverWhen" + when, roundsUntilRecovered(efficiency));
  }

  private void addMedians(Turn turn, String name, List<Double> values) {
    turn.figures().put(name + "Before", median(values, SETTLED, throttleAt));
    turn.figures().put(name + "Throttled", median(values, throttleAt + SETTLED, releaseAt));
    turn.figures().put(name + "Released", median(values, releaseAt + SETTLED, values.size()));
  }

  private static double median(List<Double> values, int from, int to) {
    return from < to ? Medians.of(values.subList(from, to), Double::doubleValue) : Double.NaN;
  }

  /** Rounds until some in a row are efficient again; NaN if none are. */
  static double roundsUntilRecovered(List<Double> efficiency) {
    int good = 0;
    for (int i = 0; i < efficiency.size(); i++) {
      good = efficiency.get(i) >= RECOVERED ? good + 1 : 0;
      if (good == IN_A_ROW) {
        return i - IN_A_ROW + 1;
      }
    }
    return Double.NaN;
  }
}
