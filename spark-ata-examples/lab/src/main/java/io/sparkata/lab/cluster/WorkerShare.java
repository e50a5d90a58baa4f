package io.sparkata.lab.cluster;

import io.sparkata.lab.BadArgument;
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
   * @throws BadArgument if the shares cannot be enforced
   */
  static List<WorkerShare> divide(
      RelativeSpeeds relative, int cores, double capacity, Enforcement enforcement) {
    List<Double> speeds = relative.speeds();
    double sum = speeds.stream().mapToDouble(Double::doubleValue).sum();
    double most = Collections.max(speeds);
    double divided = enforcement == Enforcement.AFFINITY ? cores : capacity;
    double unit = Math.min(divided / sum, cores / most);
    List<WorkerShare> shares = new ArrayList<>();
    for (double speed : speeds) {
      String host = "127.0.0." + (shares.size() + 2);
      CpuQuota quota = CpuQuota.of(unit * speed, unit * Collections.min(speeds));
      int nice = (int) Math.round(Math.log(most / speed) / Math.log(NICE_STEP));
      WorkerShare share = new WorkerShare(host, speed, unit * speed, quota, nice);
      share.require(enforcement, relative);
      shares.add(share);
    }
    return shares;
  }

  private void require(Enforcement enforcement, RelativeSpeeds relative) {
    String rule = null;
    if (enforcement == Enforcement.NONE && !relative.areEven()) {
      rule = "all equal with ATA_CLUSTER_ENFORCE=none";
    } else if (enforcement == Enforcement.AFFINITY && nice > MOST_NICE) {
      rule = "affinity and nice reach a ratio of 69 at most";
    } else if (enforcement == Enforcement.CGROUP && !quota.isEnough()) {
      rule =
          "worker %s, speed %s, would get %s CPU: too little to run"
              .formatted(host, (float) speed, (float) cpus);
    }
    BadArgument.require(rule == null, "--speeds", relative, rule);
  }
}
