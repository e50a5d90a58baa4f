package io.sparkata.lab.scripts;

import java.util.ArrayList;
import java.util.List;

/**
 * A worker's share of the CPUs.
 *
 * @param host its loopback address
 * @param speed relative to the others'
 * @param cpus its share
 * @param quota its share in microseconds of {@code period}, both as for a cgroup
 * @param nice value that gives about its speed among workers on the same CPUs
 */
record WorkerShare(String host, double speed, double cpus, long quota, long period, int nice) {
  private static final int MOST_WORKERS = 200;

  /** The kernel takes no smaller quota. */
  static final long SMALLEST_QUOTA = 1000;

  /** The kernel takes no longer period. */
  static final long LONGEST_PERIOD = 1_000_000;

  private static final long FIRST_PERIOD = 10_000;
  private static final long LAST_PERIOD = 100_000;
  private static final int MOST_NICE = 19;

  /** From one step of nice to the next. */
  private static final double NICE_STEP = 1.25;

  /** Positive numbers with commas between them. */
  static List<Double> parseSpeeds(String list) {
    List<Double> speeds = new ArrayList<>();
    for (String speed : list.split(",", -1)) {
      speeds.add(Decimals.isNumber(speed) ? Double.parseDouble(speed) : 0);
    }
    if (speeds.size() > MOST_WORKERS || speeds.stream().anyMatch(speed -> !(speed > 0))) {
      throw ScriptFailure.ofUsage(
          "Invalid --speeds: "
              + list
              + " (positive numbers with commas between, "
              + MOST_WORKERS
              + " at most, e.g. 8,4,2,1)");
    }
    return speeds;
  }

  /**
   * Divides the CPUs in the ratio of the speeds. No worker gets more than its cores: all shares
   * shrink together until that holds.
   */
  static List<WorkerShare> divide(
      List<Double> speeds, int cores, double capacity, Enforcement enforcement) {
    double sum = speeds.stream().mapToDouble(Double::doubleValue).sum();
    double most = speeds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    double least = speeds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double divided = enforcement == Enforcement.AFFINITY ? cores : capacity;
    double unit = Math.min(divided / sum, cores / most);
    long period = FIRST_PERIOD;
    while (unit * least * period < SMALLEST_QUOTA - 0.1 && period < LAST_PERIOD) {
      period *= 2;
    }
    List<WorkerShare> shares = new ArrayList<>();
    for (double speed : speeds) {
      shares.add(
          new WorkerShare(
              "127.0.0." + (shares.size() + 2),
              speed,
              unit * speed,
              (long) (unit * speed * period + 0.5),
              period,
              (int) (Math.log(most / speed) / Math.log(NICE_STEP) + 0.5)));
    }
    require(shares, enforcement);
    return shares;
  }

  private static void require(List<WorkerShare> shares, Enforcement enforcement) {
    for (WorkerShare share : shares) {
      if (enforcement == Enforcement.NONE && share.speed != shares.get(0).speed) {
        throw invalidSpeeds(shares, "all equal with ATA_CLUSTER_ENFORCE=none");
      } else if (enforcement == Enforcement.AFFINITY && share.nice > MOST_NICE) {
        throw invalidSpeeds(shares, "affinity and nice reach a ratio of 69 at most");
      } else if (enforcement.isQuota() && share.quota < SMALLEST_QUOTA) {
        throw invalidSpeeds(
            shares,
            "worker "
                + share.host
                + ", speed "
                + share.speedText()
                + ", would get "
                + share.cpusText()
                + " CPU: too little to run");
      }
    }
  }

  private static ScriptFailure invalidSpeeds(List<WorkerShare> shares, String rule) {
    List<String> speeds = shares.stream().map(WorkerShare::speedText).toList();
    return ScriptFailure.ofUsage(
        "Invalid --speeds: " + String.join(",", speeds) + " (" + rule + ")");
  }

  String speedText() {
    return Decimals.text(speed, 6);
  }

  String cpusText() {
    return Decimals.text(cpus, 4);
  }

  /** This share times a factor above 0 and at most 1. */
  WorkerShare throttled(double factor, String factorText) {
    long less = (long) (quota * factor + 0.5);
    if (less >= SMALLEST_QUOTA) {
      return new WorkerShare(host, speed, cpus, less, period, nice);
    }
    long longer = period * SMALLEST_QUOTA / Math.max(1, less);
    if (longer > LONGEST_PERIOD) {
      throw ScriptFailure.ofUsage(
          "Invalid --factor: " + factorText + " (worker " + host + " would get too little to run)");
    }
    return new WorkerShare(host, speed, cpus, SMALLEST_QUOTA, longer, nice);
  }
}
