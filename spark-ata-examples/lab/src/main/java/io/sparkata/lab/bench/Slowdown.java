package io.sparkata.lab.bench;

import io.sparkata.lab.Medians;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One executor gets a quarter of its share after a third of the iterations, and its share back
 * after two thirds. The efficiency of an iteration is by the speeds that hold then. Driver only.
 */
final class Slowdown {
  private static final double FACTOR = 0.25;

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

  void throttle() throws IOException, InterruptedException {
    Shares.run(command + " " + FACTOR);
  }

  void release() throws IOException, InterruptedException {
    Shares.run(command + " 1");
  }

  /** Changes the share where it is due, before the update after so many iterations. */
  void beforeUpdate(int iterations) {
    if (isNone() || (iterations != throttleAt && iterations != releaseAt)) {
      return;
    }
    long start = System.nanoTime();
    try {
      if (iterations == throttleAt) {
        throttle();
      } else {
        release();
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Cannot change the executor's share: interrupted.", stop);
    }
    pauses.put(iterations, (System.nanoTime() - start) / 1e9);
  }

  /**
   * Adds the figures.
   *
   * @param batch rows of a round
   * @param calm rows per second of all executors without the slowdown; NaN if not measured
   * @param throttled the same with it
   */
  void add(Turn turn, double batch, double calm, double throttled) {
    List<Double> ends = turn.series().get(Turn.ENDS);
    List<Double> seconds = new ArrayList<>();
    List<Double> efficiency = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      double pause = pauses.getOrDefault(i, 0.0);
      seconds.add(ends.get(i) - (i == 0 ? 0 : ends.get(i - 1)) - pause);
      boolean isSlow = i >= throttleAt && i < releaseAt;
      efficiency.add(batch / (isSlow ? throttled : calm) / seconds.get(i));
    }
    addMedians(turn, "seconds", seconds);
    turn.figures().remove(Turn.SECONDS); // three conditions, three medians
    if (!Double.isNaN(calm)) {
      addMedians(turn, "efficiency", efficiency);
      turn.series().put("efficiencyByRound", efficiency);
      turn.figures()
          .put(
              "roundsToRecoverWhenThrottled",
              roundsUntilRecovered(efficiency.subList(throttleAt, releaseAt)));
      turn.figures()
          .put(
              "roundsToRecoverWhenReleased",
              roundsUntilRecovered(efficiency.subList(releaseAt, efficiency.size())));
    }
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
