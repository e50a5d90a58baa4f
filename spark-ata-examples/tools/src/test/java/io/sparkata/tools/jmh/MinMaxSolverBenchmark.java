package io.sparkata.tools.jmh;

import io.sparkata.allocation.MinMaxSolver;
import io.sparkata.allocation.UnitByUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * {@link MinMaxSolver} against unit by unit giving from a heap and one pass over the times: {@code
 * scripts/ata bench-solver}. Times per unit are log-uniform from 1 to 100. The heap is left out
 * above {@value #MOST_HEAP_BUDGET} units.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MinMaxSolverBenchmark {

  private static final int MOST_HEAP_BUDGET = 1_000_000;

  @Param("100")
  int workers;

  @Param("6400")
  int budget;

  private double[] times;

  /** Fills in the times. */
  @Setup
  public void fill() {
    times =
        new SplittableRandom(1)
            .doubles(workers)
            .map(uniform -> Math.exp(Math.log(100) * uniform))
            .toArray();
  }

  @Benchmark
  public int[] solver() {
    return MinMaxSolver.solve(times, budget);
  }

  @Benchmark
  public int[] heap() {
    return UnitByUnit.solve(null, times, null, budget);
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

  /** The medians of one combination, in nanoseconds; NaN where left out. */
  private record Row(int workers, int budget, double solver, double heap, double pass) {

    private String format(String format, String leftOut) {
      return String.format(
          Locale.ROOT,
          format,
          workers,
          budget,
          number(solver, leftOut),
          number(heap, leftOut),
          number(pass, leftOut));
    }

    private static String number(double nanos, String leftOut) {
      return Double.isNaN(nanos) ? leftOut : String.format(Locale.ROOT, "%.0f", nanos);
    }
  }

  /** Argument: "json" or "text". */
  public static void main(String[] arguments) throws RunnerException {
    List<Row> rows = new ArrayList<>();
    for (int workers : new int[] {100, 1000, 10_000, 100_000}) {
      double pass = measure("pass", workers, 0);
      for (int budget : new int[] {64 * workers, 1_000_000_000}) {
        double solver = measure("solver", workers, budget);
        double heap = budget > MOST_HEAP_BUDGET ? Double.NaN : measure("heap", workers, budget);
        rows.add(new Row(workers, budget, solver, heap, pass));
      }
    }
    if (arguments[0].equals("json")) {
      String format =
          "{\"n\":%d,\"budget\":%d,\"solverNanos\":%s,\"heapNanos\":%s,\"passNanos\":%s}";
      List<String> objects = rows.stream().map(row -> row.format(format, "null")).toList();
      System.out.println("[" + String.join(",\n ", objects) + "]");
    } else {
      System.out.println("Median nanoseconds per round; - where left out.");
      System.out.printf("%9s %11s %13s %13s %13s%n", "n", "budget", "solver", "heap", "pass");
      rows.forEach(row -> System.out.println(row.format("%9d %11d %13s %13s %13s", "-")));
    }
  }

  /** The median over the iterations of a JVM of its own. */
  private static double measure(String benchmark, int workers, int budget) throws RunnerException {
    System.err.printf("%s: n = %d, B = %d ...%n", benchmark, workers, budget);
    Options options =
        new OptionsBuilder()
            .include(MinMaxSolverBenchmark.class.getName() + "\\." + benchmark + "$")
            .param("workers", Integer.toString(workers))
            .param("budget", Integer.toString(budget))
            .forks(1)
            .jvmArgs("-Xmx2g")
            .warmupIterations(4)
            .warmupTime(TimeValue.milliseconds(400))
            .measurementIterations(7)
            .measurementTime(TimeValue.milliseconds(200))
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    return new Runner(options).runSingle().getPrimaryResult().getStatistics().getPercentile(50);
  }
}
