package io.sparkata.lab.cluster;

import java.util.List;
import picocli.CommandLine.Option;

/** Options of {@code scripts/cluster start}; its help has what they mean. */
final class StartOptions {
  @Option(names = "--speeds", defaultValue = "1,1,1")
  private String speeds;

  @Option(names = "--cores", defaultValue = "1")
  int cores;

  @Option(names = "--memory", defaultValue = "1g")
  String memory;

  @Option(names = "--capacity")
  private Double capacity;

  /**
   * Checks what does not depend on this machine.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  void require() {
    speeds();
    require(cores >= 1, "--cores", cores, "a whole number from 1");
    require(
        memory.matches("[1-9][0-9]{0,8}[mMgG]"),
        "--memory",
        memory,
        "a number and m or g, e.g. 1g");
  }

  private static void require(boolean isValid, String name, Object value, String rule) {
    if (!isValid) {
      throw new IllegalArgumentException("Invalid %s: %s (%s)".formatted(name, value, rule));
    }
  }

  List<Double> speeds() {
    return RelativeSpeeds.parse(speeds, /* least= */ 1).speeds();
  }

  /** Of {@link #memory}. */
  long memoryMib() {
    long number = Long.parseLong(memory.substring(0, memory.length() - 1));
    return memory.matches(".*[gG]") ? number * 1024 : number;
  }

  /** CPUs to divide; by default half a CPU is left to the driver. */
  double capacity(int cpusHere) {
    if (capacity == null) {
      return cpusHere - 0.5;
    }
    require(
        capacity > 0 && capacity <= cpusHere,
        "--capacity",
        capacity,
        "above 0, at most the " + cpusHere + " CPUs here; less leaves some to the driver");
    return capacity;
  }
}
