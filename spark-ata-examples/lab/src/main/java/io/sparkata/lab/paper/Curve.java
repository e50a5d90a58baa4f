package io.sparkata.lab.paper;

import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A method's totals at the recorded rounds.
 *
 * @param points at least one, in ascending order of rounds
 */
record Curve(Method method, List<Point> points) {
  private static final int INTERVALS = 100;

  /**
   * Sums over all rounds so far.
   *
   * @param regret NaN under greedy
   */
  record Point(long round, double runtime, double workerTime, double regret) {}

  /** Distinct log-spaced rounds from 1 to {@code rounds}, ascending, with the poster's last one. */
  static long[] grid(long rounds) {
    LongStream spaced =
        IntStream.rangeClosed(0, INTERVALS)
            .mapToLong(p -> Math.round(Math.pow((double) rounds, (double) p / INTERVALS)));
    LongStream poster = LongStream.of(PosterTable.ROUNDS).filter(round -> round <= rounds);
    return LongStream.concat(spaced, poster).sorted().distinct().toArray();
  }

  static Curve record(Method method, Contender contender, Simulation simulation) {
    long[] grid = grid(simulation.rounds());
    List<Point> points = new ArrayList<>(grid.length);
    double[] sums = new double[3];
    simulation.run(
        contender,
        round -> {
          sums[0] += round.time();
          sums[1] += round.work();
          sums[2] += round.regret();
          if (round.index() == grid[points.size()]) {
            points.add(new Point(round.index(), sums[0], sums[1], sums[2]));
          }
        });
    return new Curve(method, List.copyOf(points));
  }

  Point last() {
    return points.get(points.size() - 1);
  }

  /** The value at a round up to the last, interpolated linearly between recorded rounds. */
  Point at(long round) {
    Point before = new Point(0, 0, 0, 0);
    for (Point point : points) {
      if (point.round() >= round) {
        double part = (double) (round - before.round()) / (point.round() - before.round());
        return new Point(
            round,
            before.runtime() + part * (point.runtime() - before.runtime()),
            before.workerTime() + part * (point.workerTime() - before.workerTime()),
            before.regret() + part * (point.regret() - before.regret()));
      }
      before = point;
    }
    throw new IllegalArgumentException(
        "Invalid round: " + round + " (at most " + last().round() + ")");
  }
}
