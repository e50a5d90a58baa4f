package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Compares with the paper's formulas over the list of all times seen. */
class LowerBoundPolicyPropertyTest {

  private static final int ROUNDS = 80;
  private static final double ALPHA = 3;
  private static final double ETA = 1.5;

  @Property(tries = 200)
  void allocate_ata_isThePapersRule(@ForAll long seed) {
    assertPapersRule("ata", seed);
  }

  @Property(tries = 200)
  void allocate_ataEmpirical_isThePapersRule(@ForAll long seed) {
    assertPapersRule("ata-empirical", seed);
  }

  private static void assertPapersRule(String id, long seed) {
    Random random = new Random(seed);
    int n = 1 + random.nextInt(6);
    double width = Math.exp(2 * random.nextGaussian() - 3);
    AllocationPolicy policy =
        AllocationPolicies.create(
            id,
            PolicySettings.defaults().withWidth(width).withAlpha(ALPHA).withEta(ETA),
            /* loader= */ null);
    List<String> workers = IntStream.range(0, n).mapToObj(i -> "w" + i).toList();
    List<List<Double>> times = new ArrayList<>();
    workers.forEach(worker -> times.add(new ArrayList<>()));
    for (int round = 1; round <= ROUNDS; round++) {
      double[] bounds = new double[n];
      for (int i = 0; i < n; i++) {
        bounds[i] = bound(id, width, times.get(i), round);
      }
      int budget = random.nextInt(20);

      int[] allocation = policy.allocate(workers, budget);

      assertPapersRule(allocation, bounds, budget);
      for (int i = 0; i < n; i++) {
        for (int unit = 0; unit < allocation[i]; unit++) {
          double time = (i + 1) * (0.5 + random.nextDouble());
          policy.observe(workers.get(i), 1, time);
          times.get(i).add(time);
        }
      }
    }
  }

  /** NaN for a worker never sampled. */
  private static double bound(String id, double width, List<Double> times, int k) {
    double mean = times.stream().mapToDouble(time -> time).average().orElse(Double.NaN);
    double ratio = Math.log(2.0 * k * k) / times.size();
    double w = Math.sqrt(ratio) + ratio;
    return id.equals("ata") ? mean - width * ALPHA * w : mean * (1 - width * ETA * w);
  }

  private static void assertPapersRule(int[] allocation, double[] bounds, int budget) {
    int[] all = IntStream.range(0, bounds.length).toArray();
    int[] unseen = IntStream.of(all).filter(i -> Double.isNaN(bounds[i])).toArray();
    int[] negative = IntStream.of(all).filter(i -> bounds[i] < 0).toArray();
    int[] positive = IntStream.of(all).filter(i -> bounds[i] >= 0).toArray();
    if (unseen.length == bounds.length) {
      assertEven(allocation, unseen, budget);
      return;
    }
    int first = Math.min(budget, unseen.length);
    assertEven(allocation, unseen, first);
    if (negative.length > 0) {
      assertEven(allocation, negative, budget - first);
      assertEven(allocation, positive, 0);
      return;
    }
    double[] times = IntStream.of(positive).mapToDouble(i -> bounds[i]).toArray();
    int[] best = MinMaxSolver.solve(times, budget - first);
    double least =
        IntStream.range(0, best.length).mapToDouble(j -> best[j] * times[j]).max().orElse(0);
    for (int i : positive) {
      assertThat(allocation[i] * bounds[i]).isLessThanOrEqualTo(least * (1 + 1e-9));
    }
    assertThat(IntStream.of(allocation).sum()).isEqualTo(budget);
  }

  private static void assertEven(int[] allocation, int[] workers, int budget) {
    int sum = 0;
    for (int i : workers) {
      assertThat(allocation[i]).isBetween(budget / workers.length, budget / workers.length + 1);
      sum += allocation[i];
    }
    assertThat(sum).isEqualTo(budget * Math.min(1, workers.length));
  }
}
