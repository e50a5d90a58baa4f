package io.sparkata.lab.cluster;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory of this machine that no program uses.
 *
 * @param mib mebibytes
 */
public record AvailableMemory(int mib) {
  /** What the drivers, the scripts and the system need besides the executors. */
  private static final int OTHERS_MIB = 4096;

  private static final int MOST_EXECUTOR_MIB = 4608;
  private static final int LEAST_EXECUTOR_MIB = 1024;

  /** As the kernel counts it now. */
  public static AvailableMemory now() {
    Path file = Path.of(System.getProperty("ata.meminfo", "/proc/meminfo")); // another in tests
    try {
      String kib = Files.readString(file).replaceAll("(?s).*MemAvailable: *(\\d+) kB.*", "$1");
      return new AvailableMemory(Math.toIntExact(Long.parseLong(kib) / 1024));
    } catch (IOException error) {
      throw new UncheckedIOException("Cannot read " + file, error);
    }
  }

  /**
   * Checks that executors of a given size fit: three quarters of their sum must be available, since
   * they seldom fill their heaps.
   */
  public void require(int executors, int executorMib) {
    long needed = (long) executors * executorMib * 3 / 4;
    if (mib < needed) {
      throw new RunFailure(
          "Cannot start: %d MiB of memory are needed, %d are available. Set --speeds to fewer executors."
              .formatted(needed, mib));
    }
  }

  /** The memory that each of so many executors can have, 4608 MiB at most. */
  public int perExecutor(int executors) {
    int each = Math.min(MOST_EXECUTOR_MIB, (mib - OTHERS_MIB) / executors);
    if (each < LEAST_EXECUTOR_MIB) {
      throw new RunFailure(
          "Cannot start: %d MiB of memory are available, too little for %d executors. Set --speeds to fewer."
              .formatted(mib, executors));
    }
    return each;
  }
}
