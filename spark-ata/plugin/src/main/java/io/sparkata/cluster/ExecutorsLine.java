package io.sparkata.cluster;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One line on what the executors of an application compute with. */
final class ExecutorsLine {
  private static final String ADDRESS = " at GPU address [^,\\s]+";

  private ExecutorsLine() {}

  /**
   * Counts the executors that report the same.
   *
   * @param reported of the executors that have reported
   * @param live how many executors there are
   */
  static String of(List<ExecutorCapabilities> reported, int live) {
    Map<String, Integer> groups = new LinkedHashMap<>();
    reported.stream()
        .sorted(Comparator.comparing(ExecutorCapabilities::executorId))
        .forEach(executor -> groups.merge(describe(executor), 1, Integer::sum));
    StringBuilder text = new StringBuilder("Spark ATA: ").append(executors(live));
    String separator = ": ";
    for (Map.Entry<String, Integer> group : groups.entrySet()) {
      int count = group.getValue();
      text.append(separator).append(count).append(count == 1 ? " computes" : " compute");
      text.append(" with ").append(group.getKey());
      separator = "; ";
    }
    if (reported.size() < live) {
      text.append(separator).append(live - reported.size()).append(" not known yet");
    }
    return text.toString();
  }

  private static String executors(int count) {
    return count + (count == 1 ? " executor" : " executors");
  }

  private static String describe(ExecutorCapabilities executor) {
    StringBuilder text = new StringBuilder(executor.kernel().replaceAll(ADDRESS, ""));
    text.append(" on Java ").append(executor.java());
    new TreeMap<>(executor.causes())
        .forEach(
            (address, cause) -> {
              if (!cause.isEmpty()) {
                text.append(", not with GPU address ").append(address).append(" (");
                text.append(cause).append(")");
              }
            });
    return text.toString();
  }
}
