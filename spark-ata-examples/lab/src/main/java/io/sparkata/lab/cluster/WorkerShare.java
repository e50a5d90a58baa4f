package io.sparkata.lab.cluster;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A worker's share of the CPUs.
 *
 * @param host its loopback address
 * @param speed relative to the others'
 * @param cpus its share
 * @param quota its share, as for a cgroup
 * @param nice value that gives about its speed among workers on the same CPUs
 */
record WorkerShare(String host, double speed, double cpus, CpuQuota quota, int nice) {
  private static final int MOST_NICE = 19;

  /** From one step of nice to the next. */
  private static final double NICE_STEP = 1.25;

  /** What holds workers to their shares. */
  enum Enforcement {
    CGROUP,
    AFFINITY,
    NONE
  }

  /**
   * Divides the CPUs in the ratio of the speeds. No worker gets more than its cores: all shares
   * shrink together until that holds.
   *
   * @throws IllegalArgumentException with a message for the user if the shares cannot be enforced
   */
  static List<WorkerShare> divide(
      List<Double> speeds, int cores, double capacity, Enforcement enforcement) {
    double sum = speeds.stream().mapToDouble(Double::doubleValue).sum();
    double most = Collections.max(speeds);
    double divided = enforcement == Enforcement.AFFINITY ? cores : capacity;
    double unit = Math.min(divided / sum, cores / most);
    long period = CpuQuota.periodFor(unit * Collections.min(speeds));
    List<WorkerShare> shares = new ArrayList<>();
    for (double speed : speeds) {
      shares.add(
          new WorkerShare(
              "127.0.0." + (shares.size() + 2),
              speed,
              unit * speed,
              new CpuQuota(Math.round(unit * speed * period), period),
              (int) Math.round(Math.log(most / speed) / Math.log(NICE_STEP))));
    }
    shares.forEach(share -> share.require(enforcement, speeds));
    return shares;
  }

  private void require(Enforcement enforcement, List<Double> speeds) {
    String rule = null;
    if (enforcement == Enforcement.NONE && speed != speeds.get(0)) {
      rule = "all equal with ATA_CLUSTER_ENFORCE=none";
    } else if (enforcement == Enforcement.AFFINITY && nice > MOST_NICE) {
      rule = "affinity and nice reach a ratio of 69 at most";
    } else if (enforcement == Enforcement.CGROUP && quota.micros() < CpuQuota.LEAST_MICROS) {
      rule =
          "worker %s, speed %s, would get %s CPU: too little to run"
              .formatted(host, text(speed), text(cpus));
    }
    if (rule != null) {
      String list = String.join(",", speeds.stream().map(WorkerShare::text).toList());
      throw new IllegalArgumentException("Invalid --speeds: " + list + " (" + rule + ")");
    }
  }

  /**
   * Says how the share is enforced.
   *
   * @param cpuList the CPUs that all workers use, under affinity
   */
  String describe(Enforcement enforcement, String cpuList) {
    return switch (enforcement) {
      case CGROUP -> "cgroup quota " + quota.micros() + "/" + quota.period() + " us";
      case AFFINITY -> "affinity and nice: CPU " + cpuList + ", nice " + nice;
      case NONE -> "no limit";
    };
  }

  /** The shortest text of a number, rounded to six significant digits. */
  static String text(double number) {
    return new BigDecimal(number).round(new MathContext(6)).stripTrailingZeros().toPlainString();
  }
}
