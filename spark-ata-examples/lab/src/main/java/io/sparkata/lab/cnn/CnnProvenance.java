package io.sparkata.lab.cnn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What it takes to get the same curve again.
 *
 * @param checksums SHA-256 by file name of the data
 */
record CnnProvenance(
    long seed, int parameters, int trainingImages, int testImages, Map<String, String> checksums) {

  private static final List<String> FILES =
      List.of(
          "train-images-idx3-ubyte",
          "train-labels-idx1-ubyte",
          "t10k-images-idx3-ubyte",
          "t10k-labels-idx1-ubyte");

  static Map<String, String> checksums(Path folder) throws IOException {
    Map<String, String> sums = new TreeMap<>();
    for (String name : FILES) {
      Path file = IdxImages.file(folder, name);
      sums.put(file.getFileName().toString(), sha256(Files.readAllBytes(file)));
    }
    return sums;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
    }
  }

  /** As JSON, with what the training has come to: a stopped run names its own updates. */
  String json(long updates, List<String> accuracies) {
    StringBuilder files = new StringBuilder();
    checksums.forEach(
        (name, sum) ->
            files.append(
                String.format(
                    Locale.ROOT, "%s\n    \"%s\": \"%s\"", files.isEmpty() ? "" : ",", name, sum)));
    return String.format(
        Locale.ROOT,
        """
        {
          "command": "scripts/ata train-cnn --images <folder> --updates %d --seed %d",
          "seed": %d,
          "updates": %d,
          "data": "Fashion-MNIST",
          "loss": "mean training cross-entropy of the last %d updates",
          "network": "3x3 convolutions of 16, 32 and 64 filters, each with ReLU and 2x2 max pooling; 128 hidden; 10 out",
          "parameters": %d,
          "optimizer": "Adam, learning rate %s",
          "batch": %d,
          "trainingImages": %d,
          "testImages": %d,
          "sha256": {%s
          },
          "testAccuracy": [
            %s
          ]
        }
        """,
        updates,
        seed,
        seed,
        updates,
        LossCurve.STRIDE,
        parameters,
        CnnTraining.LEARNING_RATE,
        CnnTraining.BATCH,
        trainingImages,
        testImages,
        files,
        String.join(",\n    ", accuracies));
  }
}
