package io.sparkata.allocation;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * ATA for jobs of tens to thousands of rounds (after arXiv 2502.00775): lower bounds of the
 * workers' times per unit, then a min-max allocation, then observe.
 *
 * <p>The bound is a ratio, s_i = mean_i / (1 + c w_i), w_i = sqrt(L / K_i) + L / K_i, L = ln(1 + 2
 * (k/n)^2), where k is the round, n the number of workers present and K_i the units seen of worker
 * i. The allocation minimises the largest f_i + s_i (a_i + z kappa sqrt(a_i)), an upper quantile of
 * worker i's time ({@link QuantileSolver}), with kappa the coefficient of variation of a unit
 * ({@link TimeNoise}) and f_i what rounds cost worker i besides their units, above what they
 * usually cost the workers of least overhead ({@link RoundOverhead}). A worker left without work
 * there gets one unit if it would for s_i = mean_i / (1 + c w_i + p h r_i / n) and f_i / (1 + p r_i
 * / n), with r_i the rounds in a row that it has had nothing. h is 1 for some rounds after the
 * start and after a change of speed was seen anywhere, and falls like one over the rounds since
 * then. The constants are {@link AdaptiveTuning}'s.
 *
 * <p>Differs from the paper in:
 *
 * <ul>
 *   <li>a bound is never zero, so there is no uniform warm-up;
 *   <li>L counts rounds per worker: with more workers, learning about one more pays later;
 *   <li>the rest term: by L alone, a worker that once looked a hundred times slower would rest for
 *       the whole job. It is spent as long as speeds change; then it fades, so that exploration,
 *       and with it regret, grows like ln k;
 *   <li>quantiles instead of means: close to the least expected maximum, which the paper's proxy is
 *       not;
 *   <li>a worker whose speed has changed starts anew ({@link ChangeDetector}). If that happens to
 *       two or more, and to a sixth of those that reported at once, what is believed of the others
 *       is forgotten, too: something common to all has changed, or the priors came from another
 *       cluster;
 *   <li>a round costs some workers more besides their units; killed work counts as a lower bound of
 *       its time; priors are pseudo-counts that the first own round may overthrow ({@link
 *       PriorTrust}).
 * </ul>
 *
 * <p>Workers never seen get one unit each (a random subset if they are more than B); where none was
 * seen, all is split evenly.
 *
 * <p>Invariants: (1) every bound is greater than 0; (2) every worker gets work again and again, but
 * one that looks a hundred times slower only while speeds change: in a calm it takes L more rounds
 * than any job has; (3) the rest term gives a worker one unit, however long it has rested; (4)
 * estimates are of units of size 1, so that another unit size changes none of them.
 *
 * <p>Cost per round: O(n), and that of {@link QuantileSolver}.
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

  /** As of the last round's allocation, or of what was observed since if there is no other. */
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

  /** Shares out by the bounds, after one unit each for those whose rest term is due. */
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
   * After so long a rest. An overhead recovers unseen, since nothing else shows it: its rest term
   * does not fade.
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

  /** Takes in what was observed since the last round. */
  private void learn() {
    int reported = 0;
    int changed = 0;
    for (TrackedWorker worker : workers.values()) {
      if (worker.hasNews()) {
        reported++;
        changed += worker.learn(noise) ? 1 : 0;
      }
    }
    if (changed > 0) {
      lastChange = round;
    }
    if (isTrusting && !priors.isEmpty() && PriorTrust.isLost(workers.values(), noise)) {
      isTrusting = false;
      workers.values().forEach(TrackedWorker::disbelieve);
    }
    if (changed >= 2 && changed >= tuning.wideShare() * reported) {
      workers.values().stream()
          .filter(worker -> !worker.hasWorkedIn(round))
          .forEach(TrackedWorker::forget);
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
