package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpanTest {
  private static final BlockRef BLOCK = new BlockRef(3, 4, 0, 100, 10, 80, 1);

  @ParameterizedTest
  @CsvSource({"-1, 5", "5, 5", "6, 5", "0, 11", "10, 11"})
  void new_rowsOutsideTheBlockOrNone_throwsWithRowsAndBlock(int from, int to) {
    assertThatThrownBy(() -> new Span(0, BLOCK, from, to))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid span: rows " + from + " .. " + to + " of a block of 10 rows");
  }

  @Test
  void rows_partOrWholeOfABlock_isTheLength() {
    assertThat(new Span(0, BLOCK, 0, 10).rows()).isEqualTo(10);
    assertThat(new Span(0, BLOCK, 9, 10).rows()).isEqualTo(1);
  }

  @Test
  void toString_always_namesBlockAndRows() {
    assertThat(new Span(0, BLOCK, 2, 7)).hasToString("rdd_3_4[2..7)");
  }
}
