package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CoveredTimeTest {
  /** Against a set of whole seconds, in a random order. */
  @Test
  void length_manyTimes_isThatOfTheirUnion() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      CoveredTime time = new CoveredTime();
      BitSet covered = new BitSet();
      for (int i = 0; i < 60; i++) {
        int start = random.nextInt(300);
        int end = start + random.nextInt(15);
        time.add(start, end);
        covered.set(start, end);
      }
      assertThat(time.length()).as("seed %d", seed).isEqualTo(covered.cardinality());
    }
  }

  @Test
  void length_manyRoundsInOrder_isTheirSum() {
    CoveredTime time = new CoveredTime();
    for (int round = 0; round < 10_000; round++) {
      time.add(2 * round, 2 * round + 1);
    }

    assertThat(time.length()).isEqualTo(10_000);
  }
}
