package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoverageTest {
  private static final long STAMP = 5;
  private static final List<BlockRef> BLOCKS =
      List.of(
          new BlockRef(1, 0, 0, 0, 10, 80, STAMP), new BlockRef(1, 1, 0, 10, 20, 160, STAMP + 1));
  private static final CoveredRows ALL_OF_FIRST = new CoveredRows(0, STAMP, 0, 10);
  private static final CoveredRows ALL_OF_SECOND = new CoveredRows(1, STAMP + 1, 0, 20);

  @Test
  void wronglyCovered_everyRowOnceInAnyOrder_isEmpty() {
    assertThat(wrong(ALL_OF_FIRST, ALL_OF_SECOND)).isEmpty();
    assertThat(
            wrong(
                new CoveredRows(1, STAMP + 1, 7, 19),
                new CoveredRows(0, STAMP, 4, 10),
                new CoveredRows(1, STAMP + 1, 19, 20),
                new CoveredRows(1, STAMP + 1, 0, 7),
                new CoveredRows(0, STAMP, 0, 4)))
        .isEmpty();
  }

  @Test
  void wronglyCovered_blockReadTwice_namesIt() {
    assertThat(wrong(ALL_OF_FIRST, ALL_OF_SECOND, ALL_OF_SECOND)).containsExactly(1);
  }

  @Test
  void wronglyCovered_blockNeverRead_namesIt() {
    assertThat(wrong(ALL_OF_SECOND)).containsExactly(0);
    assertThat(wrong(ALL_OF_FIRST)).containsExactly(1);
    assertThat(wrong()).containsExactly(0, 1);
  }

  @Test
  void wronglyCovered_firstMiddleOrLastRowNeverRead_namesTheBlock() {
    assertThat(wrong(new CoveredRows(0, STAMP, 1, 10), ALL_OF_SECOND)).containsExactly(0);
    assertThat(wrong(new CoveredRows(0, STAMP, 0, 9), ALL_OF_SECOND)).containsExactly(0);
    assertThat(
            wrong(new CoveredRows(0, STAMP, 0, 5), new CoveredRows(0, STAMP, 6, 10), ALL_OF_SECOND))
        .containsExactly(0);
  }

  @Test
  void wronglyCovered_spansOverlap_namesTheBlock() {
    assertThat(
            wrong(new CoveredRows(0, STAMP, 0, 6), new CoveredRows(0, STAMP, 5, 10), ALL_OF_SECOND))
        .containsExactly(0);
    assertThat(wrong(ALL_OF_FIRST, new CoveredRows(0, STAMP, 3, 5), ALL_OF_SECOND))
        .containsExactly(0);
  }

  @Test
  void wronglyCovered_partFromAnotherPacking_namesTheBlock() {
    assertThat(
            wrong(
                new CoveredRows(0, STAMP, 0, 6),
                new CoveredRows(0, STAMP + 9, 6, 10),
                ALL_OF_SECOND))
        .containsExactly(0);
    assertThat(wrong(new CoveredRows(0, STAMP + 1, 0, 10), ALL_OF_SECOND)).containsExactly(0);
  }

  @Test
  void wronglyCovered_noBlocks_isEmpty() {
    assertThat(Coverage.wronglyCovered(Blocks.of(List.of()), List.of())).isEmpty();
  }

  private static List<Integer> wrong(CoveredRows... covered) {
    return Coverage.wronglyCovered(Blocks.of(BLOCKS), List.of(covered));
  }
}
