package io.sparkata.tools.jmh;

import io.sparkata.allocation.MinMaxSolver;
import io.sparkata.allocation.RecursiveAllocation;
import io.sparkata.allocation.UnitByUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * {@link MinMaxSolver} against unit by unit giving from a heap and the paper's recursion, and
 * against one pass over the times: {@code scripts/bench-solver}. Times per unit are log-uniform
 * from 1 to 100. Left out because they would take minutes: the heap above {@value
 * #MOST_HEAP_BUDGET} units, the recursion where min(n, B) is above {@value #MOST_RECURSIVE}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MinMaxSolverBenchmark {

  private static final int MOST_HEAP_BUDGET = 1_000_000;
  private static final int MOST_RECURSIVE = 10_000;

  @Param("1000")
  int workers;

  @Param("1000")
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

  @Benchmark
  public int[] recursive() {
    return RecursiveAllocation.solve(times, budget);
  }

  /** The sum, by four accumulators. */
  @Benchmark
  public double pass() {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    int last = times.length - 3;
    int i = 0;
    for (; i < last; i += 4) {
      first += times[i];
      second += times[i + 1];
      third += times[i + 2];
      fourth += times[i + 3];
    }
    for (; i < times.length; i++) {
      first += times[i];
    }
    return first + second + third + fourth;
  }

  /** The medians of one combination, in nanoseconds; NaN where left out. */
  private record Row(
      int workers, int budget, double solver, double heap, double recursive, double pass) {

    private String json() {
      return String.format(
          Locale.ROOT,
          "{\"n\":%d,\"budget\":%d,\"solverNanos\":%s,\"heapNanos\":%s,\"recursiveNanos\":%s,"
              + "\"passNanos\":%s,\"solverPasses\":%.1f}",
          workers,
          budget,
          number(solver, "null"),
          number(heap, "null"),
          number(recursive, "null"),
          number(pass, "null"),
          solver / pass);
    }

    private String text() {
      return String.format(
          Locale.ROOT,
          "%9d %11d %14s %14s %14s %11s %8.1f",
          workers,
          budget,
          number(solver, "-"),
          number(heap, "-"),
          number(recursive, "-"),
          number(pass, "-"),
          solver / pass);
    }

    private static String number(double nanos, String leftOut) {
      return Double.isNaN(nanos) ? leftOut : String.format(Locale.ROOT, "%.1f", nanos);
    }
  }

  /** Arguments: "quick" or "full", "json" or "text". */
  public static void main(String[] arguments) throws RunnerException {
    boolean quick = arguments[0].equals("quick");
    boolean json = arguments[1].equals("json");
    int[] sizes =
        quick ? new int[] {51, 1_000_000} : new int[] {10, 51, 1000, 10_000, 100_000, 1_000_000};
    int[] budgets =
        quick
            ? new int[] {1000, 1_000_000_000}
            : new int[] {10, 1000, 100_000, 1_000_000, 10_000_000, 1_000_000_000};
    List<Row> rows = new ArrayList<>();
    for (int workers : sizes) {
      Map<Integer, Double> solver = new TreeMap<>();
      for (int budget : budgets) {
        solver.put(budget, measure("solver", workers, budget, quick));
      }
      double pass = measure("pass", workers, 0, quick);
      for (int budget : budgets) {
        double heap =
            budget > MOST_HEAP_BUDGET ? Double.NaN : measure("heap", workers, budget, quick);
        double recursive =
            Math.min(workers, budget) > MOST_RECURSIVE
                ? Double.NaN
                : measure("recursive", workers, budget, quick);
        rows.add(new Row(workers, budget, solver.get(budget), heap, recursive, pass));
      }
    }
    print(rows, json);
  }

  private static void print(List<Row> rows, boolean json) {
    if (json) {
      System.out.println("[" + String.join(",\n ", rows.stream().map(Row::json).toList()) + "]");
      return;
    }
    System.out.println("Nanoseconds per round, medians; - left out, would take minutes.");
    System.out.printf(
        "%9s %11s %14s %14s %14s %11s %8s%n",
        "n", "budget", "solver", "heap", "recursive", "pass", "passes");
    rows.forEach(row -> System.out.println(row.text()));
  }

  /** The median over the iterations of a JVM of its own. */
  private static double measure(String benchmark, int workers, int budget, boolean quick)
      throws RunnerException {
    System.err.printf("%s: n = %d, B = %d ...%n", benchmark, workers, budget);
    OptionsBuilder options = new OptionsBuilder();
    options
        .include(MinMaxSolverBenchmark.class.getName() + "\\." + benchmark + "$")
        .param("workers", Integer.toString(workers))
        .param("budget", Integer.toString(budget))
        .forks(1)
        .jvmArgs("-Xmx2g")
        .warmupIterations(4)
        .warmupTime(TimeValue.milliseconds(quick ? 250 : 400))
        .measurementIterations(quick ? 5 : 7)
        .measurementTime(TimeValue.milliseconds(quick ? 100 : 200))
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
    RunResult result = new Runner(options.build()).runSingle();
    return result.getPrimaryResult().getStatistics().getPercentile(50);
  }
}
