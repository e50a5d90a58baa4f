package io.sparkata.tools.checks;

import io.sparkata.tools.AtaCommand;
import io.sparkata.tools.JsonOption;
import io.sparkata.tools.Launch;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code scripts/ata bench-solver}. */
@Command(
    name = "bench-solver",
    header = "Times of the min-max solver, beside a heap and a pass over the data",
    description = {
      "Times one round of the min-max solver by JMH, for 100 to 100,000 workers with 64 units per"
          + " worker and with 1,000,000,000 units. Also times unit by unit giving from a heap, up to"
          + " 1,000,000 units, and one pass (the sum) over the workers' times. Prints a table of"
          + " medians in nanoseconds. Takes about a minute. Compiles the tests of the tools first.",
      "",
      "With --json a list of objects: n, budget, solverNanos, heapNanos, passNanos; heapNanos is"
          + " null where left out."
    })
public final class BenchSolver extends AtaCommand {
  @Mixin private JsonOption json;

  @Override
  public Integer call() {
    return Launch.run(
        Launch.java(
            List.of(),
            Launch.testClassPath("spark-ata-examples/tools"),
            "io.sparkata.tools.jmh.MinMaxSolverBenchmark",
            List.of(json.isOn() ? "json" : "text")));
  }
}
