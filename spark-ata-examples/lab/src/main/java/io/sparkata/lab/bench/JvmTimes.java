package io.sparkata.lab.bench;

import java.time.Duration;
import java.util.List;

/**
 * The CPU time that JVMs of this machine have used so far, all their threads together, as {@code
 * /proc/PID/stat} has it: in steps of 10 ms. Milliseconds; NaN if unknown.
 *
 * @param driver that of this JVM
 * @param executor the mean of the executors
 */
record JvmTimes(double driver, double executor) {

  /** The times now. */
  static JvmTimes now(List<Long> executorPids) {
    return new JvmTimes(
        millis(ProcessHandle.current().pid()),
        executorPids.stream().mapToDouble(JvmTimes::millis).average().orElse(Double.NaN));
  }

  private static double millis(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(Duration::toNanos)
        .map(nanos -> nanos / 1e6)
        .orElse(Double.NaN);
  }
}
