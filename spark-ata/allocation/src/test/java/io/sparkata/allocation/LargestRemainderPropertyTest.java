package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class LargestRemainderPropertyTest {

  /** Compares with the same method in whole numbers, one unit at a time. */
  @Property(tries = 500)
  void round_wholeWeights_isTheSlowModel(
      @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 1, max = 50) Integer> weights,
      @ForAll @IntRange(max = 1000) int budget) {
    int n = weights.size();
    long sum = weights.stream().mapToLong(weight -> weight).sum();
    int[] expected = new int[n];
    long[] remainders = new long[n];
    for (int i = 0; i < n; i++) {
      expected[i] = (int) (budget * (long) weights.get(i) / sum);
      remainders[i] = budget * (long) weights.get(i) % sum;
    }
    for (int rest = budget - Arrays.stream(expected).sum(); rest > 0; rest--) {
      int largest = 0;
      for (int i = 1; i < n; i++) {
        largest = remainders[i] > remainders[largest] ? i : largest;
      }
      expected[largest]++;
      remainders[largest] = -1;
    }

    double[] exact = weights.stream().mapToDouble(w -> (double) budget * w / sum).toArray();
    int[] units =
        LargestRemainder.round(
            LargestRemainder.quotas(weights.stream().mapToDouble(w -> w).toArray(), budget),
            budget,
            /* first= */ 0);

    assertThat(Arrays.stream(units).sum()).isEqualTo(budget);
    // Quotas that differ by rounding errors only may be rounded in another order.
    assertThat(error(units, exact)).isLessThan(error(expected, exact) + 1e-6);
  }

  private static double error(int[] units, double[] exact) {
    double sum = 0;
    for (int i = 0; i < units.length; i++) {
      sum += Math.abs(units[i] - exact[i]);
    }
    return sum;
  }
}
