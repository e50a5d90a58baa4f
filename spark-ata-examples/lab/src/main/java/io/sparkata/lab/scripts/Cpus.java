package io.sparkata.lab.scripts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The CPUs that this process may use.
 *
 * @param numbers by its affinity
 */
record Cpus(List<Integer> numbers) {
  static Cpus here() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("Cpus_allowed_list:")) {
        return parse(line.substring(line.indexOf(':') + 1).trim());
      }
    }
    throw new IOException("no Cpus_allowed_list in /proc/self/status");
  }

  /** A list like 0-3,7. */
  static Cpus parse(String list) {
    List<Integer> numbers = new ArrayList<>();
    for (String part : list.split(",", -1)) {
      String[] ends = part.split("-", 2);
      for (int cpu = Integer.parseInt(ends[0]);
          cpu <= Integer.parseInt(ends[ends.length - 1]);
          cpu++) {
        numbers.add(cpu);
      }
    }
    return new Cpus(numbers);
  }

  /** The first few, as for taskset. */
  String first(int count) {
    return numbers.stream().limit(count).map(String::valueOf).collect(Collectors.joining(","));
  }
}
