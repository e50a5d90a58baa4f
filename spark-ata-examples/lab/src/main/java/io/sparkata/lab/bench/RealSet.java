package io.sparkata.lab.bench;

import io.sparkata.lab.RunFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Real data as {@code scripts/fetch-data} leaves them. Knows no Spark. */
enum RealSet {
  /** Three million flights. */
  FLIGHTS("flights", "flights/flights-3m.parquet"),
  /** Sixty thousand images. */
  FASHION_MNIST("fashion-mnist", "fashion-mnist");

  private final String id;
  private final String file;

  RealSet(String id, String file) {
    this.id = id;
    this.file = file;
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(set -> set.id).toList();
  }

  static RealSet of(String id) {
    return Arrays.stream(values()).filter(set -> set.id.equals(id)).findFirst().orElseThrow();
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
