package io.sparkata.lab.cnn;

import static io.sparkata.lab.BadArgument.require;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.Folders;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Trains the poster's network and writes its loss curve. The command {@code train-cnn}. */
@Command(
    name = "train-cnn",
    header = "A small convolutional network's real loss curve, for reproduce-paper",
    description = {
      "Trains a network of three convolutions and two full layers on Fashion-MNIST, on one thread,"
          + " and writes its loss curve: the mean training loss of each 100 updates. The same seed"
          + " gives the same curve on the same kind of machine.",
      "The curve is rewritten while it runs, so a run that is stopped leaves what it has."
    })
public final class TrainCnn extends AtaCommand {
  private static final int STRIDE = 100;
  private static final int WRITE_EVERY = 5_000;

  @Option(names = "--images", description = "Folder of scripts/fetch-data fashion-mnist.")
  private Path images;

  @Option(
      names = "--updates",
      defaultValue = "150000",
      description = "Updates, a multiple of 100. Default: ${DEFAULT-VALUE}.")
  private long updates;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--out", description = "The curve. Default: docs/paper/cnn-loss.csv.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    require(images != null, "command line", "--images is missing", "it is needed");
    boolean isWhole = updates >= STRIDE && updates % STRIDE == 0;
    require(isWhole, "--updates", updates, "a multiple of " + STRIDE);
    Path csv = out == null ? Project.path("docs/paper/cnn-loss.csv") : out.toAbsolutePath();
    CnnTraining training = new CnnTraining(IdxImages.read(images, "train"), seed);
    Folders.create(csv.getParent(), "--out=<a file>");
    List<String> lines = new ArrayList<>(List.of("update,loss"));
    for (long update = STRIDE; update <= updates; update += STRIDE) {
      double loss = training.meanLoss(STRIDE);
      if (!Double.isFinite(loss)) {
        throw new RunFailure(
            "Cannot go on: the loss at update %d is %s. Set --seed to another number"
                .formatted(update, loss));
      }
      lines.add(String.format(Locale.ROOT, "%d,%.5f", update, loss));
      if (update % WRITE_EVERY == 0 || update == updates) {
        Files.write(csv, lines);
        say("update %,d of %,d: loss %.4f", update, updates, loss);
      }
    }
    return 0;
  }
}
