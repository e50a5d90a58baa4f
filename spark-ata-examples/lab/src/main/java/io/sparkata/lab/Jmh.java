package io.sparkata.lab;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code scripts/ata jmh}. */
@Command(
    name = "jmh",
    header = "Times of kernels, min-max solver and the driver's rounds, by JMH",
    customSynopsis = "scripts/ata jmh [-h] [-- BENCHMARK [JMH's options]]",
    description = {
      "Runs JMH with its own options, among them -p NAME=VALUE[,VALUE...] for a parameter, -f for"
          + " the number of JVMs, -prof for a profiler, -rf json -rff FILE for JSON; -h shows all of"
          + " them, -l the benchmarks. Compiles the tests of the lab first.",
      "",
      "  scripts/ata jmh -- -l",
      "  scripts/ata jmh -- KernelBenchmark.inTurn -p width=100,1000 -p fraction=1,0.1",
      "",
      "The commands of stored figures: docs/kernels.md. A benchmark named inTurn runs two sides"
          + " interleaved; JMH prints each one's nanoseconds per row as a secondary result."
    })
public final class Jmh extends AtaCommand {
  @Parameters(arity = "0..*", hidden = true)
  private List<String> arguments = List.of("-l");

  @Override
  public Integer call() {
    List<String> options = new ArrayList<>(Project.sparkJvmOptions());
    options.add("-Xmx3g"); // JMH gives its JVMs the same
    String tests =
        Launch.output(
            new Program(Launch.script("ata", "--test-class-path", "spark-ata-examples/lab")));
    // The plugin's jar first, for it contains what weaves.
    String classPath = Project.pluginJar() + File.pathSeparator + tests;
    return new Program(Launch.java(options, classPath, "org.openjdk.jmh.Main", arguments))
        .without("CUDA_VISIBLE_DEVICES") // it would change what an address means: no GPU is opened
        .toStdout()
        .run();
  }
}
