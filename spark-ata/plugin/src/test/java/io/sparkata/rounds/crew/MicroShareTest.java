package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MicroShareTest {
  private static MicroShare<Object> share(int rows, long seed, int... blockRows) {
    List<BlockRef> blocks =
        Arrays.stream(blockRows).mapToObj(size -> new BlockRef(1, 0, 0, 0, size, 8, 7)).toList();
    return new MicroShare<>(/* summand= */ null, blocks, rows, seed);
  }

  @Test
  void draw_someOfTheRows_areAscendingAndDistinctAndRepeatable() {
    long[] rows = share(50, 3, 100, 200).draw(0);

    assertThat(rows).hasSize(50).doesNotHaveDuplicates().isSorted();
    assertThat(rows[0]).isNotNegative();
    assertThat(rows[49]).isBetween(100L, 299L); // the second block has twice as many rows
    assertThat(share(50, 3, 100, 200).draw(0)).isEqualTo(rows);
    assertThat(share(50, 3, 100, 200).draw(1)).isNotEqualTo(rows);
    assertThat(share(50, 4, 100, 200).draw(0)).isNotEqualTo(rows);
  }

  @Test
  void draw_moreThanThereAre_takesAll() {
    assertThat(share(50, 3, 4, 3).draw(9)).containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(share(50, 3).draw(0)).isEmpty();
  }

  /** 10,000 draws of one row of ten: each about 1,000 times, with a deviation of 30. */
  @Test
  void draw_manyTimes_isEven() {
    MicroShare<Object> share = share(1, 42, 10);
    long[] times = new long[10];
    IntStream.range(0, 10_000).forEach(i -> times[(int) share.draw(i)[0]]++);

    assertThat(Arrays.stream(times)).allMatch(count -> count > 850 && count < 1150);
  }

  @Test
  void seed_otherRoundOrExecutor_differs() {
    long seed = MicroShare.seed(42, 1, "0");

    assertThat(MicroShare.seed(42, 1, "0")).isEqualTo(seed);
    assertThat(List.of(MicroShare.seed(42, 2, "0"), MicroShare.seed(42, 1, "1")))
        .doesNotContain(seed);
    assertThat(MicroShare.seed(43, 1, "0")).isNotEqualTo(seed);
  }
}
