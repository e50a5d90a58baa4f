package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EvenSplitTest {

  private final EvenSplit split = new EvenSplit(new Random(42));

  @Test
  void add_someIndices_addsToThoseAlone() {
    int[] allocation = {1, 2, 3, 4};

    split.add(allocation, new int[] {3, 1}, 10);

    assertThat(allocation).containsExactly(1, 7, 3, 9);
  }

  @Test
  void add_nothing_changesNothing() {
    int[] allocation = {1, 2};

    split.add(allocation, new int[] {0, 1}, 0);

    assertThat(allocation).containsExactly(1, 2);
  }

  @Test
  void add_indices_leavesThemInOrder() {
    int[] indices = {0, 1, 2, 3, 4};

    split.add(new int[5], indices, 7);

    assertThat(indices).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void add_remainder_goesToEveryPairAlike() {
    int[][] pairs = new int[4][4];
    for (int round = 0; round < 6000; round++) {
      int[] allocation = new int[4];
      split.add(allocation, new int[] {0, 1, 2, 3}, 14);
      assertThat(allocation).containsExactlyInAnyOrder(3, 3, 4, 4);
      int first = Arrays.stream(allocation).boxed().toList().indexOf(4);
      int second = Arrays.stream(allocation).boxed().toList().lastIndexOf(4);
      pairs[first][second]++;
    }

    // Six pairs: 1000 expected of each, standard deviation 29.
    for (int i = 0; i < 4; i++) {
      for (int j = i + 1; j < 4; j++) {
        assertThat(pairs[i][j]).isBetween(850, 1150);
      }
    }
  }

  @Test
  void add_sameSeed_repeats() {
    EvenSplit same = new EvenSplit(new Random(42));
    int[] indices = {0, 1, 2, 3, 4, 5, 6};
    int[] once = new int[7];
    int[] again = new int[7];

    for (int round = 0; round < 20; round++) {
      split.add(once, indices, 24);
      same.add(again, indices, 24);
    }

    assertThat(again).isEqualTo(once);
  }
}
