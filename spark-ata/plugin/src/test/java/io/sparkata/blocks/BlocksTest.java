package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BlocksTest {
  private static final BlockRef FIRST = new BlockRef(1, 0, 0, 0, 10, 80, /* packingId= */ 5);
  private static final BlockRef SECOND = new BlockRef(1, 1, 0, 10, 20, 170, /* packingId= */ 6);

  @Test
  void of_blocks_hasThemAndTheirFigures() {
    Blocks blocks = Blocks.of(List.of(FIRST, SECOND));

    assertThat(blocks).containsExactly(FIRST, SECOND);
    assertThat(List.of(blocks.rows(0), blocks.rows(1))).containsExactly(10, 20);
    assertThat(List.of(blocks.bytes(0), blocks.bytes(1))).containsExactly(80L, 170L);
    assertThat(List.of(blocks.packingId(0), blocks.packingId(1))).containsExactly(5L, 6L);
    assertThat(blocks.rows()).isEqualTo(30);
    assertThat(blocks.bytes()).isEqualTo(250);
  }

  @Test
  void of_noBlocks_isEmpty() {
    Blocks blocks = Blocks.of(List.of());

    assertThat(blocks).isEmpty();
    assertThat(blocks.rows()).isZero();
    assertThat(blocks.bytes()).isZero();
  }

  @Test
  void of_itsOwn_isTheVeryList() {
    Blocks blocks = Blocks.of(List.of(FIRST));

    assertThat(Blocks.of(blocks)).isSameAs(blocks);
  }
}
