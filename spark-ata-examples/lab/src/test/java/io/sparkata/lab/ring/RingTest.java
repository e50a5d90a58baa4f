package io.sparkata.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.EOFException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingTest {
  @ParameterizedTest
  @CsvSource({"1, 5", "2, 0", "2, 7", "3, 2", "8, 3", "8, 1009"})
  void allReduce_ofAnyLength_isThePlainSumInEveryMember(int members, int length) throws Exception {
    double[] plain = new double[length];
    for (int rank = 0; rank < members; rank++) {
      double[] values = values(rank, length);
      for (int i = 0; i < length; i++) {
        plain[i] += values[i];
      }
    }

    List<double[]> sums =
        Threads.run(
            members,
            ring -> {
              double[] values = values(ring.rank(), length);
              ring.allReduce(values);
              return values;
            });

    assertThat(sums).hasSize(members).allSatisfy(sum -> assertThat(sum).isEqualTo(sums.get(0)));
    assertThat(sums.get(0)).containsExactly(plain, within(1e-12));
  }

  /** Chunks of 8 MB are more than socket buffers hold: a member must receive while it sends. */
  @Test
  void allReduce_ofMoreThanTheBuffersHold_doesNotBlock() throws Exception {
    List<Double> lasts =
        Threads.run(
            2,
            ring -> {
              double[] values = new double[2_000_000];
              values[values.length - 1] = ring.rank() + 1;
              ring.allReduce(values);
              ring.allReduce(values);
              return values[values.length - 1];
            });

    assertThat(lasts).containsExactly(6.0, 6.0);
  }

  @Test
  void allReduce_whenTheMemberBeforeLeaves_fails() {
    assertThatThrownBy(
            () ->
                Threads.run(
                    2,
                    ring -> {
                      if (ring.rank() == 1) {
                        ring.allReduce(new double[3]);
                      }
                      return null;
                    }))
        .hasCauseInstanceOf(EOFException.class)
        .hasMessageContaining("Cannot go on: the ring's member before 1 has left.");
  }

  private static double[] values(int rank, int length) {
    return new SplittableRandom(rank).doubles(length, -1, 1).toArray();
  }
}
