package io.sparkata.tools.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The CPU time that a hypervisor has given to other guests while this one wanted it, as Linux
 * counts it for the whole machine since its start.
 *
 * @param wanted used or stolen, in ticks
 * @param stolen of {@code wanted}
 */
record StolenTime(long wanted, long stolen) {
  private static final Path COUNTERS = Path.of("/proc/stat");

  // Columns of the line "cpu": user nice system idle iowait irq softirq steal; guests' times are
  // in user and nice.
  private static final int IDLE = 4;
  private static final int IO_WAIT = 5;
  private static final int STEAL = 8;

  /** As of now; zeros where the system does not count it. */
  static StolenTime now() {
    try {
      return Files.isReadable(COUNTERS) ? parse(Files.readString(COUNTERS)) : new StolenTime(0, 0);
    } catch (IOException error) {
      return new StolenTime(0, 0); // a figure beside others, which can do without it
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

  /** What has been stolen of the time wanted since {@code start}, 0 to 1; NaN if none is known. */
  double shareSince(StolenTime start) {
    return (double) (stolen - start.stolen) / (wanted - start.wanted);
  }
}
