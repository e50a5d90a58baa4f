package io.sparkata.lab.bench;

import io.sparkata.lab.CachedRows;
import io.sparkata.lab.Progress;
import java.io.IOException;
import java.util.List;
import org.apache.spark.mllib.optimization.SquaredL2Updater;

/**
 * Trains and forgets, until code is warm on both sides of the wire: hundreds of brief rounds first,
 * since what a task needs besides its kernel is called once in each, then rounds as they will be
 * measured. Executors run as fast as they can meanwhile; afterwards, within their shares, sides
 * that remember speeds see a few rounds more.
 */
final class WarmUp {
  private static final int ITERATIONS = 5;
  private static final long NANOS = 12_000_000_000L;
  private static final int BRIEF_ITERATIONS = 300;
  private static final double BRIEF_FRACTION = 0.01;

  private WarmUp() {}

  /** All but {@code static}, whose code is the others', and which waits for speeds. */
  static void run(
      List<BenchSide> sides, CachedRows cached, Workload workload, Shares shares, Progress progress)
      throws IOException, InterruptedException {
    List<BenchSide> warmed = sides.stream().filter(side -> !side.equals(BenchSide.STATIC)).toList();
    shares.lift();
    for (BenchSide side : warmed) {
      progress.say("%s: warming up", side.id());
      long start = System.nanoTime();
      if (!side.isLbfgs()) { // which samples nothing
        double brief = Math.min(workload.fraction(), BRIEF_FRACTION);
        train(side, cached, workload, brief, BRIEF_ITERATIONS);
      }
      do {
        train(side, cached, workload, workload.fraction(), iterations(workload));
      } while (System.nanoTime() - start < NANOS);
    }
    shares.hold();
    for (BenchSide side : warmed) {
      if (!side.isStock()) {
        train(side, cached, workload, workload.fraction(), iterations(workload));
      }
    }
  }

  /** As many as draw every row once, or MLlib warns at each training that it does not. */
  private static int iterations(Workload workload) {
    return Math.max(ITERATIONS, (int) Math.ceil(1 / workload.fraction()));
  }

  private static void train(
      BenchSide side, CachedRows cached, Workload workload, double fraction, int iterations) {
    SideRun.train(side, cached.rdd(), workload, fraction, iterations, new SquaredL2Updater());
  }
}
