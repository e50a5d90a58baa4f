package io.sparkata.lab.cnn;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Trains the poster's network on Fashion-MNIST and writes its loss curve. The command {@code
 * scripts/ata train-cnn}.
 */
@Command(
    name = "train-cnn",
    header = "A small convolutional network's real loss curve, for reproduce-paper",
    description = {
      "Trains a network of three convolutions and two full layers on Fashion-MNIST, on one thread,"
          + " and writes its loss curve: the mean training loss of each 100 updates. The same seed"
          + " gives the same curve on the same kind of machine.",
      "The files are rewritten while it runs, so a run that is stopped leaves what it has."
    })
public final class TrainCnn extends AtaCommand {
  @Option(
      names = "--images",
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
      description =
          "The curve; a .json beside it says where it comes from. Default:"
              + " docs/paper/cnn-loss.csv.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    if (images == null) {
      throw invalid("command line", "--images is missing", "it is needed");
    }
    requireMultiple("--updates", updates);
    requireMultiple("--test-every", testEvery);
    if (out == null) {
      out = Project.path("docs/paper/cnn-loss.csv");
    }
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
      throw new RunFailure("Cannot create " + csv.getParent() + ": " + e + ". Set --out=<a file>");
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
            "update %,d of %,d: loss %.4f, test accuracy %.2f %%, %.0f updates/s",
            run.updates(), updates, curve.lastLoss(), 100 * accuracy, run.updates() / seconds);
      }
    }
  }

  private void requireMultiple(String option, long value) {
    if (value < LossCurve.STRIDE || value % LossCurve.STRIDE != 0) {
      throw invalid(option, value, "a multiple of " + LossCurve.STRIDE);
    }
  }
}
