package io.sparkata.allocation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * After OmniLearn (2025): proportional control of every worker's share b_i, db_i = -(b_i / t_i)
 * (t_i - mean t), with a dead band and clipping. t_i is the time of the share b_i, here b_i mean_i;
 * mean t is taken over the workers measured.
 *
 * <p>The constants are ours: a change of b_i by at most the share {@value #DEAD_BAND} is not made;
 * b_i is clipped to between 1/{@value #CLIP} of the equal share and {@value #CLIP} equal shares;
 * older units keep {@value #KEPT_SHARE} of their weight in mean_i.
 *
 * <p>Differs from the paper in:
 *
 * <ul>
 *   <li>the b_i are scaled to sum to B again after each step, and again after clipping, which may
 *       move them past a limit. Since b_i + db_i = (b_i / t_i) mean t, a step without dead band and
 *       clipping ends at shares in proportion to the speeds;
 *   <li>a worker never measured has the equal share and no part in the scaling, and one that comes
 *       back starts from the equal share;
 *   <li>missing reports and shares below one unit are treated as in {@link SharePolicy}.
 * </ul>
 *
 * <p>Cost per round: O(n log n).
 */
final class ProportionalControlPolicy extends SharePolicy {

  static final String ID = "proportional-control";

  /** Relative change of a share up to which it stays as it is. */
  static final double DEAD_BAND = 0.05;

  /** Largest ratio between a share and the equal one, either way. */
  static final int CLIP = 10;

  /** A memory of about two rounds of a worker's own. */
  static final double KEPT_SHARE = 0.5;

  /** By worker of the last round. */
  private final Map<String, Double> lastShares = new HashMap<>();

  ProportionalControlPolicy(PolicySettings settings) {
    super(settings, KEPT_SHARE);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  double[] weights(List<String> workers, WorkerEstimate[] estimates) {
    double equal = 1.0 / workers.size();
    double[] shares =
        workers.stream().mapToDouble(id -> lastShares.getOrDefault(id, equal)).toArray();
    control(shares, estimates);
    scale(shares, estimates);
    for (int i = 0; i < shares.length; i++) {
      shares[i] = Math.min(Math.max(shares[i], equal / CLIP), equal * CLIP);
    }
    scale(shares, estimates);
    lastShares.clear();
    for (int i = 0; i < shares.length; i++) {
      lastShares.put(workers.get(i), shares[i]);
    }
    return shares;
  }

  /** b_i + db_i is (mean t) / mean_i. */
  private static void control(double[] shares, WorkerEstimate[] estimates) {
    double sum = 0;
    int measured = 0;
    for (int i = 0; i < shares.length; i++) {
      if (estimates[i] != null) {
        sum += shares[i] * estimates[i].mean();
        measured++;
      }
    }
    for (int i = 0; i < shares.length; i++) {
      if (estimates[i] != null) {
        double wanted = sum / measured / estimates[i].mean();
        shares[i] = Math.abs(wanted - shares[i]) > DEAD_BAND * shares[i] ? wanted : shares[i];
      }
    }
  }

  /** To the equal share where a worker was never measured, to a sum of 1 in all. */
  private static void scale(double[] shares, WorkerEstimate[] estimates) {
    double sum = 0;
    int measured = 0;
    for (int i = 0; i < shares.length; i++) {
      if (estimates[i] != null) {
        sum += shares[i];
        measured++;
      }
    }
    for (int i = 0; i < shares.length; i++) {
      shares[i] = (estimates[i] == null ? 1 : shares[i] * measured / sum) / shares.length;
    }
  }
}
