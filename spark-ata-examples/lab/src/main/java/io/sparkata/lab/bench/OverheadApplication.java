package io.sparkata.lab.bench;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import io.sparkata.lab.CachedRows;
import io.sparkata.lab.RunFailure;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A SparkContext whose rounds all have the same {@code spark.ata.execution}, for one turn. */
final class OverheadApplication implements AutoCloseable {
  /** A turn lasts a second at least, or {@value #MOST_ROUNDS} rounds, as CPU times have steps. */
  private static final double TURN_MILLIS = 1000;

  private static final int MOST_ROUNDS = 2000;

  private final JavaSparkContext context;
  private final AtaRuntime runtime;
  private final MadeRows workload;
  private final int leastRounds;
  private final CachedRows cached;
  private final List<Long> executorPids;
  private final PlainJobs plain;

  /** Waits for the executors and caches the rows. */
  OverheadApplication(String execution, MadeRows workload, int leastRounds)
      throws InterruptedException {
    this.workload = workload;
    this.leastRounds = leastRounds;
    context =
        new JavaSparkContext(
            new SparkConf()
                .set("spark.ata.passThrough", "never")
                .set("spark.ata.execution", execution)
                .remove("spark.ata.roundLog.path")); // a line per round has its cost
    try {
      runtime = AtaRuntime.of(context.sc()).orElseThrow(Bench::isOff);
      Map<String, Integer> slots = Slots.await(context);
      cached = CachedRows.onePerSlot(workload.on(context), slots);
      executorPids = pids(slots.size());
      plain =
          new PlainJobs(
              context,
              slots.values().stream().mapToInt(Integer::intValue).sum(),
              workload.features());
    } catch (Throwable error) {
      context.close();
      throw error;
    }
  }

  /** Those of all executors, by tasks where the rows are. */
  private List<Long> pids(int executors) {
    List<Long> pids =
        cached
            .rdd()
            .toJavaRDD()
            .mapPartitions(rows -> List.of(ProcessHandle.current().pid()).iterator())
            .distinct()
            .collect();
    if (pids.size() != executors) {
      throw new RunFailure(
          "Cannot find the executors' processes: %d of %d. Run it with the cluster to itself."
              .formatted(pids.size(), executors));
    }
    return pids;
  }

  /**
   * Runs a side until its code is warm.
   *
   * @return what it is measured with: enough rounds for a turn
   */
  int warmUp(OverheadSide side, long nanos) {
    long end = System.nanoTime() + nanos;
    int rounds = leastRounds;
    double millis;
    do {
      millis = run(side, rounds).medianMillis();
      rounds = rounds((end - System.nanoTime()) / 1e6, millis);
    } while (System.nanoTime() < end);
    return rounds(TURN_MILLIS, millis);
  }

  private int rounds(double inMillis, double millis) {
    return (int) Math.max(leastRounds, Math.min(MOST_ROUNDS, inMillis / millis));
  }

  /**
   * One turn.
   *
   * @throws RunFailure if the side is not what it is called
   */
  OverheadTurn measure(OverheadSide side, int rounds) {
    OverheadTurn turn = run(side, rounds);
    if (side.isResident() && !(turn.residentShare() >= 0.5)) {
      throw new RunFailure(
          "Cannot measure %s with %d weights: %.0f %% of its rounds were resident, see the log lines above."
              .formatted(side.id(), workload.features(), 100 * turn.residentShare()));
    }
    return turn;
  }

  private OverheadTurn run(OverheadSide side, int rounds) {
    RoundClock clock = new RoundClock(rounds, () -> JvmTimes.now(executorPids));
    Counters counters = runtime.counters();
    long roundsBefore = counters.rounds.get();
    long residentBefore = counters.residentRounds.get();
    side.trained()
        .ifPresentOrElse(
            trained ->
                SideRun.train(
                    trained, cached.rdd(), workload, workload.fraction(), clock.allRounds(), clock),
            () -> plain.run(side, clock));
    double resident = counters.residentRounds.get() - residentBefore;
    return clock.turn(resident / (counters.rounds.get() - roundsBefore));
  }

  @Override
  public void close() {
    context.close();
  }
}
