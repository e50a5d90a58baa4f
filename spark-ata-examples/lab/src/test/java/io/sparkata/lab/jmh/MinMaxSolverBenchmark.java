package io.sparkata.lab.jmh;

import io.sparkata.allocation.MinMaxSolver;
import io.sparkata.allocation.UnitByUnit;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@link MinMaxSolver} against unit by unit giving from a heap and one pass over the times. Times
 * per unit are log-uniform from 1 to 100. The heap takes minutes for a budget of 1e9.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 7, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class MinMaxSolverBenchmark {
  @Param({"100", "1000", "10000", "100000"})
  int workers;

  /** Units of all workers; 0 for 64 of each. */
  @Param("0")
  int budget;

  private int units;
  private double[] times;

  /** Fills in the times. */
  @Setup
  public void fill() {
    units = budget == 0 ? 64 * workers : budget;
    times =
        new SplittableRandom(1)
            .doubles(workers)
            .map(uniform -> Math.exp(Math.log(100) * uniform))
            .toArray();
  }

  @Benchmark
  public int[] solver() {
    return MinMaxSolver.solve(times, units);
  }

  @Benchmark
  public int[] heap() {
    return UnitByUnit.solve(null, times, null, units);
  }

  /** The sum of the times. */
  @Benchmark
  public double pass() {
    double sum = 0;
    for (double time : times) {
      sum += time;
    }
    return sum;
  }
}
