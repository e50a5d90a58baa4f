package io.sparkata.lab.jmh;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.PolicySettings;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The driver's own time per round, by number of executors: {@link DriverRounds} with seeded speeds,
 * log-uniform over a factor of 10, and log-normal noise of 5 % per executor and round. The score
 * has the simulation's own time, too; the secondary results are the driver's nanoseconds.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 150)
@Measurement(iterations = 31)
public class DriverBenchmark {
  private static final double FASTEST_NANOS_PER_ROW = 1000;
  private static final double SPEED_RANGE = 10;
  private static final double NOISE = 0.05;
  private static final long SEED = 1;

  @Param({"100", "1000", "10000"})
  int executors;

  @Param({"uniform", "adaptive"})
  String policy;

  /** Whether a fourth of the executors became half as fast at the first measured round. */
  @Param({"false", "true"})
  boolean isChanging;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private DriverRounds driver;
  private double[] nanosPerRow;
  private int rounds;

  /**
   * What the last round took, in nanoseconds: to learn from the round before and to check that
   * every row was counted, to allocate units, and to turn these into spans and tasks.
   */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Driver {
    public long observe;
    public long policy;
    public long placement;
    public long total;
  }

  @Setup(Level.Trial)
  public void start() {
    driver =
        new DriverRounds(
            executors,
            AllocationPolicies.create(
                policy,
                PolicySettings.defaults().withSeed(SEED),
                DriverBenchmark.class.getClassLoader()));
    nanosPerRow =
        random
            .doubles(executors)
            .map(uniform -> FASTEST_NANOS_PER_ROW * Math.pow(SPEED_RANGE, uniform))
            .toArray();
  }

  @Benchmark
  public long round(Driver counters) {
    if (isChanging && ++rounds == 150) {
      for (int i = 0; i < executors; i += 4) {
        nanosPerRow[i] *= 2;
      }
    }
    double[] noisy = nanosPerRow.clone();
    for (int i = 0; i < noisy.length; i++) {
      noisy[i] *= Math.exp(NOISE * random.nextGaussian());
    }
    driver.next(noisy, counters);
    return counters.total;
  }
}
