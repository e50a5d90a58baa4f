package io.sparkata.lab.bench;

import io.sparkata.lab.RunFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Real data as {@code scripts/fetch-data} leaves them. Knows no Spark. */
enum RealSet {
  /** Three million flights. */
  FLIGHTS("flights/flights-3m.parquet"),
  /** Sixty thousand images. */
  FASHION_MNIST("fashion-mnist");

  private final String file;

  RealSet(String file) {
    this.file = file;
  }

  /** The set that a workload trains on; empty for other workloads. */
  static Optional<RealSet> ofWork(String work) {
    if (work.equals("real-flights")) {
      return Optional.of(FLIGHTS);
    }
    return work.equals("fashion-mnist") || work.startsWith("cnn-")
        ? Optional.of(FASHION_MNIST)
        : Optional.empty();
  }

  /**
   * The file or folder of the set, which must be there.
   *
   * @param data the folder of all sets
   */
  Path in(Path data) {
    Path path = data.resolve(file);
    if (!Files.exists(path)) {
      throw new RunFailure("Cannot find " + path + ". Fetch it: scripts/fetch-data, or set --data");
    }
    return path;
  }
}
