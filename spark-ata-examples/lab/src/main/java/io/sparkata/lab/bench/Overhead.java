package io.sparkata.lab.bench;

import io.sparkata.lab.Medians;
import io.sparkata.lab.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a round costs besides its kernel: trainings over so few rows that the kernel takes no time,
 * and plain jobs of as many tasks. A turn is an application for rounds as jobs and one for resident
 * rounds, the other one first in the next turn; within it all sides run one after the other.
 */
final class Overhead {
  private static final int ROWS_PER_SLOT = 64;
  private static final int NON_ZEROS = 8;
  private static final int TURNS = 3;

  /** Of an application, shared by its sides, for each executor: all compile on the same cores. */
  private static final long WARM_UP_NANOS = 4_000_000_000L;

  private final String speeds;
  private final int executors;
  private final BenchArguments arguments;
  private final Shares shares;
  private final Progress progress;

  /** Receives measurements as soon as they are complete, since later ones may fail. */
  interface Results {
    void add(OverheadMeasurement measurement) throws IOException;
  }

  /**
   * @param speeds of the cluster's workers
   * @param arguments weights, iterations, the seed of the rows made, and a user's policy
   */
  Overhead(String speeds, BenchArguments arguments, Shares shares, Progress progress) {
    this.speeds = speeds;
    this.executors = speeds.split(",", -1).length;
    this.arguments = arguments;
    this.shares = shares;
    this.progress = progress;
  }

  void run(Results results) throws Exception {
    for (int weights : arguments.features()) {
      MadeRows workload =
          new MadeRows(
              MadeRows.SPARSE,
              Workload.SMALL,
              (long) ROWS_PER_SLOT * executors,
              weights,
              NON_ZEROS,
              /* classes= */ 2,
              /* fraction= */ 1.0,
              arguments.seed());
      Map<OverheadSide, List<OverheadTurn>> turns = takeTurns(workload);
      double stock = median(turns.get(OverheadSide.MLLIB), OverheadTurn::medianMillis);
      for (Map.Entry<OverheadSide, List<OverheadTurn>> one : turns.entrySet()) {
        results.add(measurement(one.getKey(), one.getValue(), workload, stock));
      }
    }
  }

  private Map<OverheadSide, List<OverheadTurn>> takeTurns(MadeRows workload) throws Exception {
    Map<OverheadSide, List<OverheadTurn>> turns = new LinkedHashMap<>();
    OverheadSide.all(arguments.withPolicy(List.of(BenchSide.UNIFORM, BenchSide.ADAPTIVE)))
        .forEach(side -> turns.put(side, new ArrayList<>()));
    for (int turn = 0; turn < TURNS; turn++) {
      List<OverheadSide> sides = new ArrayList<>(turns.keySet());
      Collections.rotate(sides, turn);
      List<Boolean> executions = new ArrayList<>(List.of(false, true));
      Collections.rotate(executions, turn);
      for (boolean isResident : executions) {
        List<OverheadSide> own =
            sides.stream().filter(side -> side.isResident() == isResident).toList();
        takeTurn(own, workload).forEach((side, figures) -> turns.get(side).add(figures));
      }
    }
    return turns;
  }

  /** One turn of all sides of an application. */
  private Map<OverheadSide, OverheadTurn> takeTurn(List<OverheadSide> sides, MadeRows workload)
      throws Exception {
    String execution = sides.get(0).execution();
    progress.say("%d weights, execution %s: warming up", workload.features(), execution);
    shares.lift();
    Map<OverheadSide, OverheadTurn> turns = new LinkedHashMap<>();
    int least = Math.max(1, arguments.iterations() / TURNS);
    try (OverheadApplication application = new OverheadApplication(execution, workload, least)) {
      Map<OverheadSide, Integer> rounds = new LinkedHashMap<>();
      for (OverheadSide side : sides) {
        rounds.put(side, application.warmUp(side, executors * WARM_UP_NANOS / sides.size()));
      }
      shares.hold();
      for (OverheadSide side : sides) {
        OverheadTurn turn = application.measure(side, rounds.get(side));
        progress.say(
            "%d weights, %s: %.2f ms in %d rounds",
            workload.features(), side.id(), turn.medianMillis(), rounds.get(side));
        turns.put(side, turn);
      }
    }
    return turns;
  }

  private OverheadMeasurement measurement(
      OverheadSide side, List<OverheadTurn> turns, MadeRows workload, double stockMillis) {
    double millis = median(turns, OverheadTurn::medianMillis);
    return new OverheadMeasurement(
        BenchCase.OVERHEAD.id(),
        side.id(),
        side.runner(),
        speeds,
        executors,
        workload.features(),
        workload.dataset(),
        arguments.iterations(),
        turns.size(),
        millis / 1e3,
        stockMillis / millis,
        millis,
        median(turns, OverheadTurn::p90Millis),
        median(turns, OverheadTurn::driverCpuMillis),
        median(turns, OverheadTurn::executorCpuMillis),
        median(turns, OverheadTurn::residentShare),
        median(turns, OverheadTurn::stolenShare));
  }

  private static double median(List<OverheadTurn> turns, ToDoubleFunction<OverheadTurn> figure) {
    return Medians.of(turns, figure);
  }
}
