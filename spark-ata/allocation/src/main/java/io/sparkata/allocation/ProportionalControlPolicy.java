package io.sparkata.allocation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * After OmniLearn (2025): proportional control of every worker's share b_i, db_i = -(b_i / t_i)
 * (t_i - mean t), with a dead band and clipping. t_i is the time of the share b_i, here b_i mean_i;
 * mean t is taken over the workers measured.
 *
 * <p>The constants are ours. A relative change of b_i of at most {@value #DEAD_BAND} is not made.
 * b_i is clipped to the range from 1/{@value #CLIP} to {@value #CLIP} equal shares. Older units
 * keep {@value #KEPT_SHARE} of their weight in mean_i.
 *
 * <p>Differs from the paper in:
 *
 * <ul>
 *   <li>the b_i are scaled to sum to B again after each step, and again after clipping, which may
 *       move them past a limit. Since b_i + db_i = (b_i / t_i) mean t, a step without dead band and
 *       clipping ends at shares in proportion to the speeds;
 *   <li>a worker never measured has the equal share and is not scaled; a worker that comes back
 *       starts from the equal share;
 *   <li>missing reports and shares below one unit are treated as in {@link SharePolicy}.
 * </ul>
 *
 * <p>Cost per round: O(n log n).
 */
final class ProportionalControlPolicy extends SharePolicy {

  static final String ID = "proportional-control";

  /** A relative change of a share up to this size is not made. */
  static final double DEAD_BAND = 0.05;

  /** Largest ratio between a share and the equal share, in both directions. */
  static final int CLIP = 10;

  /** A memory of about two rounds of the worker. */
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

  /** Workers never measured get the equal share; all shares sum to 1. */
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
