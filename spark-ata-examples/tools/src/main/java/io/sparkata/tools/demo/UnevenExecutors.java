package io.sparkata.tools.demo;

import io.sparkata.tools.RunFailure;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The executors of the uneven cluster in the order of their CPU shares, as {@code --speeds} lists
 * them. Spark numbers executors in the order in which they come.
 *
 * @param shareById relative CPU shares by executor id, in that order
 */
record UnevenExecutors(Map<String, Double> shareById) {
  private static final String HOST_PREFIX = "127.0.0.";
  private static final int FIRST_HOST = 2;

  /**
   * Finds each executor's share by its host: 127.0.0.2 has the first, 127.0.0.3 the second.
   *
   * @param hostById of all executors
   */
  static UnevenExecutors of(List<Double> cpuShares, Map<String, String> hostById) {
    List<String> hosts =
        IntStream.range(0, cpuShares.size())
            .mapToObj(place -> HOST_PREFIX + (FIRST_HOST + place))
            .toList();
    Map<String, Double> shareById = new LinkedHashMap<>();
    for (int place = 0; place < hosts.size(); place++) {
      for (Map.Entry<String, String> one : hostById.entrySet()) {
        if (one.getValue().equals(hosts.get(place))) {
          shareById.put(one.getKey(), cpuShares.get(place));
        }
      }
    }
    if (shareById.size() != hostById.size() || shareById.size() != hosts.size()) {
      throw new RunFailure(
          "Invalid executors: on " + hostById.values() + " (one on each of " + hosts + ")");
    }
    return new UnevenExecutors(shareById);
  }

  List<String> ids() {
    return List.copyOf(shareById.keySet());
  }

  /** The share as a short name, such as {@code 8x}. */
  String name(String id) {
    return BigDecimal.valueOf(shareById.get(id)).stripTrailingZeros().toPlainString() + "x";
  }

  /** {@code total} in proportion to the CPU shares, by executor id. */
  Map<String, Double> proportional(double total) {
    double sum = shareById.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<String, Double> samples = new LinkedHashMap<>();
    shareById.forEach((id, share) -> samples.put(id, total * share / sum));
    return samples;
  }

  /** The samples in this order; 0 where the map has none. */
  List<Double> inOrder(Map<String, ? extends Number> samples) {
    List<Double> ordered = new ArrayList<>();
    for (String id : shareById.keySet()) {
      Number count = samples.get(id);
      ordered.add(count == null ? 0 : count.doubleValue());
    }
    return ordered;
  }
}
