package io.sparkata.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The CPU time that the hypervisor gave to other guests although this one requested it. Linux
 * counts it for the whole machine since its start.
 *
 * @param wanted requested time, used or stolen, in ticks
 * @param stolen the stolen part of {@code wanted}, in ticks
 */
record StolenTime(long wanted, long stolen) {
  private static final Path COUNTERS = Path.of("/proc/stat");

  // Columns of the line "cpu": user nice system idle iowait irq softirq steal; guests' times are
  // in user and nice.
  private static final int IDLE = 4;
  private static final int IO_WAIT = 5;
  private static final int STEAL = 8;

  /** The counters now; zeros if the system does not have them. */
  static StolenTime now() {
    try {
      return Files.isReadable(COUNTERS) ? parse(Files.readString(COUNTERS)) : new StolenTime(0, 0);
    } catch (IOException error) {
      return new StolenTime(0, 0); // one figure of many: the others are still valid
    }
  }

  /**
   * @param counters text of {@code /proc/stat}
   */
  static StolenTime parse(String counters) {
    String[] columns = counters.lines().findFirst().orElse("").split(" +", -1);
    if (columns.length <= STEAL || !columns[0].equals("cpu")) {
      return new StolenTime(0, 0);
    }
    long wanted = 0;
    for (int i = 1; i <= STEAL; i++) {
      wanted += i == IDLE || i == IO_WAIT ? 0 : Long.parseLong(columns[i]);
    }
    return new StolenTime(wanted, Long.parseLong(columns[STEAL]));
  }

  /** The stolen share of the time requested since {@code start}, 0 to 1; NaN if unknown. */
  double shareSince(StolenTime start) {
    return (double) (stolen - start.stolen) / (wanted - start.wanted);
  }
}
