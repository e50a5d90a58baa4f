package io.sparkata.lab.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Describes the machine, or the part of it that this JVM may use. */
final class Machine {
  private static final double GIB = 1L << 30;

  private Machine() {}

  /** Number and model of the processors, and the memory. */
  static String describe() throws IOException {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return String.format(
        Locale.ROOT,
        "%d processors (%s), %.0f GiB",
        system.getAvailableProcessors(),
        model(),
        system.getTotalMemorySize() / GIB);
  }

  private static String model() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    List<String> lines = Files.isReadable(info) ? Files.readAllLines(info) : List.of();
    return lines.stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }
}
