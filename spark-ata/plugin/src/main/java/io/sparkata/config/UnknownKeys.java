package io.sparkata.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/**
 * Finds keys that begin like ours and do not exist, so that a misspelt key is not silently ignored.
 */
public final class UnknownKeys {
  private UnknownKeys() {}

  /** One sentence per unknown key, sorted by key. */
  public static List<String> in(SparkConf conf) {
    List<String> known = AtaKeys.entries().stream().map(ConfEntry::key).toList();
    List<String> found = new ArrayList<>();
    for (Tuple2<String, String> setting : conf.getAll()) {
      String key = setting._1();
      if (key.startsWith(ConfEntry.PREFIX) && !known.contains(key)) {
        found.add(
            "Spark ATA: Invalid key: "
                + key
                + " (it has no effect; the nearest key is "
                + nearest(key, known)
                + ")");
      }
    }
    found.sort(Comparator.naturalOrder());
    return found;
  }

  /** The nearest key by edit distance; among equals the first in the documentation. */
  private static String nearest(String key, List<String> known) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    return known.stream()
        .min(Comparator.comparingInt(other -> distance.apply(key, other)))
        .orElseThrow();
  }
}
