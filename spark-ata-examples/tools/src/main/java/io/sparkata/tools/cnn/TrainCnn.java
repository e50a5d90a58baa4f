package io.sparkata.tools.cnn;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Trains the poster's network on Fashion-MNIST and writes its loss curve. Started by {@code
 * scripts/train-cnn}.
 */
@Command(
    name = "scripts/train-cnn",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Trains a network of three convolutions and two full layers on Fashion-MNIST, on one thread,"
          + " and writes its loss curve: the mean training loss of each 100 updates. The same seed"
          + " gives the same curve on the same kind of machine.",
      "The files are rewritten while it runs, so a run that is stopped leaves what it has."
    })
public final class TrainCnn implements Callable<Integer> {
  @Option(
      names = "--images",
      required = true,
      description = "Folder with Fashion-MNIST's four idx files, packed (.gz) or not.")
  private Path images;

  @Option(
      names = "--updates",
      defaultValue = "150000",
      description = "Updates, a multiple of 100. Default: ${DEFAULT-VALUE}.")
  private long updates;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--test-every",
      defaultValue = "5000",
      description =
          "Updates between two looks at the test images, a multiple of 100. Default:"
              + " ${DEFAULT-VALUE}.")
  private long testEvery;

  @Option(
      names = "--out",
      defaultValue = "docs/paper/cnn-loss.csv",
      description =
          "The curve; a .json beside it says where it comes from. Default: ${DEFAULT-VALUE}.")
  private Path out;

  @Spec private CommandSpec spec;

  /** Exits with 0 when trained, 1 after one line that says why not, 2 on a bad argument. */
  public static void main(String[] arguments) {
    System.exit(run(new PrintWriter(System.err, /* autoFlush= */ true, UTF_8), arguments));
  }

  static int run(PrintWriter err, String... arguments) {
    return new CommandLine(new TrainCnn())
        .setErr(err)
        .setExecutionExceptionHandler(
            (error, commandLine, parsed) -> {
              if (error instanceof CnnFailure) {
                commandLine.getErr().println(error.getMessage());
                return 1;
              }
              throw error;
            })
        .execute(arguments);
  }

  @Override
  public Integer call() throws IOException {
    requireMultiple("--updates", updates);
    requireMultiple("--test-every", testEvery);
    IdxImages training = IdxImages.read(images, "train");
    IdxImages test = IdxImages.read(images, "t10k");
    CnnTraining run = new CnnTraining(training, test, seed);
    CnnProvenance provenance =
        new CnnProvenance(
            seed,
            run.parameterCount(),
            training.count(),
            test.count(),
            CnnProvenance.checksums(images));
    say("%,d parameters, %,d images", run.parameterCount(), training.count());
    Path csv = out.toAbsolutePath();
    try {
      Files.createDirectories(csv.getParent());
    } catch (IOException e) {
      throw new CnnFailure("Cannot create " + csv.getParent() + ": " + e + ". Set --out=<a file>");
    }
    train(run, provenance, csv);
    say("curve: %s", out);
    return 0;
  }

  private void train(CnnTraining run, CnnProvenance provenance, Path csv) throws IOException {
    LossCurve curve = new LossCurve();
    long start = System.nanoTime();
    while (run.updates() < updates) {
      curve.add(run.update());
      if (run.updates() % testEvery == 0 || run.updates() == updates) {
        double accuracy = run.testAccuracy();
        curve.addAccuracy(accuracy);
        curve.write(csv, provenance);
        double seconds = (System.nanoTime() - start) / 1e9;
        say(
            "[%4.0f s] update %,d of %,d: loss %.4f, test accuracy %.2f %%, %.0f updates/s",
            seconds,
            run.updates(),
            updates,
            curve.lastLoss(),
            100 * accuracy,
            run.updates() / seconds);
      }
    }
  }

  private void requireMultiple(String option, long value) {
    if (value < LossCurve.STRIDE || value % LossCurve.STRIDE != 0) {
      throw new ParameterException(
          spec.commandLine(),
          "Invalid " + option + ": " + value + " (a multiple of " + LossCurve.STRIDE + ")");
    }
  }

  private void say(String pattern, Object... values) {
    spec.commandLine().getErr().println(String.format(Locale.ROOT, pattern, values));
    spec.commandLine().getErr().flush();
  }
}
