package io.sparkata.lab.bench;

import io.sparkata.lab.PolicyClassPath;
import io.sparkata.lab.Project;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What an experiment measures, as options of {@code scripts/ata bench}; null where neither the
 * caller nor the experiment gives a value. Knows no Spark.
 */
final class Options {
  @Option(
      names = "--speeds",
      paramLabel = "LIST",
      description = "The executors' relative speeds; may be given again for another cluster.")
  List<String> speeds;

  @Option(names = "--works", paramLabel = "LIST", split = ",", description = "What is trained.")
  List<String> works;

  @Option(names = "--sides", paramLabel = "LIST", split = ",", description = "Who trains.")
  List<String> sides;

  @Option(names = "--iterations", paramLabel = "N", description = "Of each training.")
  Integer iterations;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Turns of each side; figures are medians over them.")
  Integer repetitions;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Of made rows, of a network's first weights, of a ring's batches.")
  Long seed;

  @Option(
      names = "--policy",
      paramLabel = "CLASS",
      description = "One more side: a policy of yours, by its class. It is in --classpath.")
  String policy;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The folder of scripts/fetch-data. Default: target/data.")
  Path data = Project.path("target/data");

  @Mixin PolicyClassPath classPath = new PolicyClassPath();

  /** No option: the memory of an executor, 0 for as much as there is. */
  int executorMib;

  /** No option: whether the cluster is left running. */
  boolean isKept;

  /** Reads words such as {@code --sides=spark,adaptive --iterations=40}. */
  static Options parse(String words) {
    return words.isEmpty()
        ? new Options()
        : CommandLine.populateCommand(new Options(), words.split(" ", -1));
  }

  /** Takes from {@code other} what is not given here. */
  void completeBy(Options other) {
    speeds = speeds == null ? other.speeds : speeds;
    works = works == null ? other.works : works;
    sides = sides == null ? other.sides : sides;
    iterations = iterations == null ? other.iterations : iterations;
    repetitions = repetitions == null ? other.repetitions : repetitions;
    seed = seed == null ? other.seed : seed;
  }
}
