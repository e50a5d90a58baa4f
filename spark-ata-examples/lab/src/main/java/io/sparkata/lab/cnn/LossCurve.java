package io.sparkata.lab.cnn;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Mean training losses over {@link #STRIDE} updates each, and test accuracies. */
final class LossCurve {
  static final int STRIDE = 100;

  private final List<String> losses = new ArrayList<>();
  private final List<String> accuracies = new ArrayList<>();
  private double lastLoss;
  private double sum;
  private long updates;

  void add(double loss) {
    if (!Double.isFinite(loss)) {
      throw new RunFailure(
          "Cannot go on: the loss of update "
              + (updates + 1)
              + " is "
              + loss
              + ". Set --seed to another number");
    }
    sum += loss;
    if (++updates % STRIDE == 0) {
      lastLoss = sum / STRIDE;
      losses.add(String.format(Locale.ROOT, "%d,%.5f", updates, lastLoss));
      sum = 0;
    }
  }

  void addAccuracy(double accuracy) {
    accuracies.add(
        String.format(Locale.ROOT, "{\"update\": %d, \"accuracy\": %.4f}", updates, accuracy));
  }

  double lastLoss() {
    return lastLoss;
  }

  /** Writes the losses as CSV and, beside them, where they come from as JSON. */
  void write(Path csv, CnnProvenance provenance) throws IOException {
    replace(csv, "update,loss\n" + String.join("\n", losses) + "\n");
    String name = csv.getFileName().toString();
    Path json = csv.resolveSibling(name.replaceFirst("\\.csv$", "") + ".json");
    replace(json, provenance.json(updates, accuracies));
  }

  /** A reader, or a kill, never meets half a file. */
  private static void replace(Path file, String text) throws IOException {
    Path partial = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(partial, text);
    Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
  }
}
