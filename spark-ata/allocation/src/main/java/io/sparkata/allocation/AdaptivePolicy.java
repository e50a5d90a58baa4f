package io.sparkata.allocation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * ATA for jobs of tens to thousands of rounds (after arXiv 2502.00775): lower bounds of the
 * workers' times per unit, then a min-max allocation, then observe.
 *
 * <p>The bound is a ratio: s_i = mean_i / (1 + c w_i), w_i = sqrt(L / K_i) + L / K_i, L = ln(1 + 2
 * (k/n)^2). k is the round, n the number of workers present, K_i the units seen of worker i. The
 * allocation minimises the largest f_i + s_i (a_i + z kappa sqrt(a_i)), an upper quantile of worker
 * i's time ({@link QuantileSolver}). kappa is the coefficient of variation of a unit ({@link
 * TimeNoise}); f_i is the overhead of worker i per round, above that of the workers with the least
 * ({@link RoundOverhead}).
 *
 * <p>A worker without units in that allocation gets one unit if it would with s_i = mean_i / (1 + c
 * w_i + p h r_i / n) and f_i / (1 + p r_i / n). r_i is the number of consecutive rounds without
 * work. h is 1 for some rounds after the start and after any change of speed, and then falls like
 * one over the rounds since. The constants are in {@link AdaptiveTuning}.
 *
 * <p>Differs from the paper in:
 *
 * <ul>
 *   <li>a bound is never zero, so there is no uniform warm-up;
 *   <li>L counts rounds per worker: with more workers, learning about one of them pays later;
 *   <li>the rest term: with L alone, a worker that once looked a hundred times slower would rest
 *       for the whole job. The term fades when speeds stop changing, so that exploration and regret
 *       grow like ln k;
 *   <li>quantiles instead of means: the result is close to the least expected maximum, unlike the
 *       paper's proxy;
 *   <li>the estimate of a worker whose speed has changed restarts ({@link ChangeDetector}). If two
 *       or more workers, and a sixth of those that reported, change at once, a common cause has
 *       changed, or the priors came from another cluster. If all of these became faster, as cold
 *       workers do, the workers that rested are expected to have become faster by as much. Else
 *       they are forgotten;
 *   <li>overhead per worker; killed work is a lower bound of its time; priors are pseudo-counts
 *       that the first round of the worker may overrule ({@link PriorTrust}).
 * </ul>
 *
 * <p>Workers never seen get one unit each (a random subset if they are more than B). If no worker
 * was seen, the budget is split evenly.
 *
 * <p>Invariants: (1) every bound is greater than 0; (2) every worker gets work again and again,
 * except that a worker which looks a hundred times slower gets it only while speeds change; (3) the
 * rest term gives a worker one unit, however long it has rested; (4) estimates refer to units of
 * size 1, so another unit size changes none of them.
 *
 * <p>Cost per round: O(n) plus {@link QuantileSolver}.
 */
final class AdaptivePolicy implements OverheadAware {

  static final String ID = "adaptive";

  private final AdaptiveTuning tuning;
  private final Map<String, Prior> priors;
  private final EvenSplit evenSplit;
  private final Map<String, TrackedWorker> workers = new LinkedHashMap<>();
  private final TimeNoise noise = new TimeNoise();
  private boolean isTrusting = true;
  private long round;
  private long lastChange;

  AdaptivePolicy(PolicySettings settings) {
    this(
        settings,
        settings.width().isPresent()
            ? AdaptiveTuning.DEFAULT.withWidth(settings.width().getAsDouble())
            : AdaptiveTuning.DEFAULT);
  }

  AdaptivePolicy(PolicySettings settings, AdaptiveTuning tuning) {
    this.tuning = tuning;
    priors = settings.priors();
    evenSplit = new EvenSplit(new Random(settings.seed()));
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void observe(String worker, double units, double time) {
    Checks.observation(worker, units, time);
    tracked(worker).finish(units, time);
  }

  @Override
  public void observeAtLeast(String worker, double units, double time) {
    Checks.observation(worker, units, time);
    tracked(worker).kill(units, time);
  }

  @Override
  public void observeOverhead(String worker, double time) {
    Checks.overhead(worker, time);
    tracked(worker).overhead().collect(time);
  }

  @Override
  public double overhead(String worker) {
    TrackedWorker known = workers.get(worker);
    return known == null ? 0 : known.overhead().excess();
  }

  /** As of the last allocation; of a worker first observed since then, by those observations. */
  @Override
  public double meanTime(String worker) {
    TrackedWorker known = workers.get(worker);
    if (known != null) {
      return known.meanTime();
    }
    return isTrusting && priors.containsKey(worker) ? priors.get(worker).mean() : Double.NaN;
  }

  @Override
  public int[] allocate(List<String> present, int budget) {
    return allocate(present, budget, /* unitSize= */ 1);
  }

  @Override
  public int[] allocate(List<String> present, int budget, double unitSize) {
    Checks.round(present, budget);
    learn();
    TrackedWorker[] tracked = present.stream().map(this::tracked).toArray(TrackedWorker[]::new);
    round++;
    int[] known = IntStream.range(0, tracked.length).filter(i -> tracked[i].isKnown()).toArray();
    int[] unknown = IntStream.range(0, tracked.length).filter(i -> !tracked[i].isKnown()).toArray();
    int[] allocation = new int[tracked.length];
    int rest = budget;
    if (unknown.length > 0) {
      int first = known.length == 0 ? budget : Math.min(budget, unknown.length);
      evenSplit.add(allocation, unknown, first);
      rest -= first;
    }
    if (known.length > 0) {
      share(allocation, tracked, known, rest, unitSize);
    }
    for (int i = 0; i < allocation.length; i++) {
      if (allocation[i] > 0) {
        tracked[i].work(round);
      }
    }
    return allocation;
  }

  /** Allocates by the bounds, after one unit for each worker whose rest term is due. */
  private void share(
      int[] allocation, TrackedWorker[] tracked, int[] known, int budget, double unitSize) {
    double r = tuning.risk() * noise.unitVariation() / Math.sqrt(unitSize);
    RoundOverhead.compare(tracked, round);
    double[] bounds = new double[known.length];
    double[] overheads = new double[known.length];
    for (int j = 0; j < known.length; j++) {
      TrackedWorker worker = tracked[known[j]];
      bounds[j] = unitSize * bound(worker, tracked.length, /* restTerm= */ 0);
      overheads[j] = worker.overhead().excess();
    }
    int[] units = QuantileSolver.solve(overheads, bounds, r, budget);
    double largest = QuantileSolver.largestLoad(overheads, bounds, r, units);
    int rest = budget;
    int others = 0;
    for (int j = 0; j < known.length; j++) {
      TrackedWorker worker = tracked[known[j]];
      if (units[j] == 0
          && rest > 0
          && loadOfOneUnit(worker, tracked.length, r, unitSize) < largest) {
        allocation[known[j]] = 1;
        rest--;
      } else {
        bounds[others] = bounds[j];
        overheads[others] = overheads[j];
        known[others++] = known[j];
      }
    }
    if (rest < budget) {
      units =
          QuantileSolver.solve(
              Arrays.copyOf(overheads, others), Arrays.copyOf(bounds, others), r, rest);
    }
    for (int j = 0; j < others; j++) {
      allocation[known[j]] = units[j];
    }
  }

  /**
   * The load of one unit after the worker's rest. The rest term of an overhead does not fade: only
   * a trial can show that the overhead has passed.
   */
  private double loadOfOneUnit(TrackedWorker worker, int n, double r, double unitSize) {
    double rested = tuning.restShare() * worker.restedRounds(round) / n;
    return unitSize * bound(worker, n, restTerm(worker, n)) * (1 + r)
        + worker.overhead().excess() / (1 + rested);
  }

  private double restTerm(TrackedWorker worker, int n) {
    double alert = Math.min(1, tuning.alertRounds() / (round - lastChange));
    return tuning.restShare() * alert * worker.restedRounds(round) / n;
  }

  private double bound(TrackedWorker worker, int n, double restTerm) {
    double roundsPerWorker = (double) round / n;
    double ratio = Math.log1p(2 * roundsPerWorker * roundsPerWorker) / worker.sums().units();
    return worker.sums().meanTime() / (1 + tuning.width() * (Math.sqrt(ratio) + ratio) + restTerm);
  }

  /** Learns from what was observed since the last round. */
  private void learn() {
    int reported = 0;
    List<Double> ratios = new ArrayList<>();
    for (TrackedWorker worker : workers.values()) {
      if (worker.hasNews()) {
        reported++;
        if (worker.learn(noise)) {
          ratios.add(worker.lastRatio());
        }
      }
    }
    int changed = ratios.size();
    if (changed > 0) {
      lastChange = round;
    }
    if (isTrusting && !priors.isEmpty() && PriorTrust.isLost(workers.values(), noise)) {
      isTrusting = false;
      workers.values().forEach(TrackedWorker::disbelieve);
    }
    if (changed >= 2 && changed >= tuning.wideShare() * reported) {
      change(ratios);
    }
  }

  /** What a common change of those that worked means for the others. */
  private void change(List<Double> ratios) {
    Collections.sort(ratios);
    boolean areAllFaster = ratios.get(ratios.size() - 1) < 1;
    double typical = ratios.get(ratios.size() / 2);
    for (TrackedWorker worker : workers.values()) {
      if (worker.hasWorkedIn(round) || !worker.isKnown()) {
        continue;
      }
      if (areAllFaster) {
        worker.expect(typical);
      } else {
        worker.forget();
      }
    }
  }

  private TrackedWorker tracked(String worker) {
    return workers.computeIfAbsent(
        worker,
        unseen -> {
          TrackedWorker tracked = new TrackedWorker(tuning, round);
          if (isTrusting && priors.containsKey(unseen)) {
            tracked.believe(priors.get(unseen));
          }
          return tracked;
        });
  }
}
