package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SparseBlockTest {
  static List<Arguments> rows() {
    return List.of(
        Arguments.of("no rows", new int[] {0}, new int[] {}, true),
        Arguments.of("empty rows", new int[] {0, 0, 0}, new int[] {}, true),
        Arguments.of("one number", new int[] {0, 1}, new int[] {3}, true),
        Arguments.of("rows begin anew", new int[] {0, 2, 4}, new int[] {3, 8, 0, 8}, true),
        Arguments.of(
            "a row begins with the last's end", new int[] {0, 1, 2}, new int[] {3, 3}, true),
        Arguments.of("twice in the last row", new int[] {0, 2, 4}, new int[] {3, 8, 1, 1}, false),
        Arguments.of("a lower one behind", new int[] {0, 3, 4}, new int[] {3, 8, 7, 9}, false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void isAscending_anyRows_saysWhetherNoneStandsTwiceOrBeforeALowerOne(
      String what, int[] rowStarts, int[] indices, boolean isAscending) {
    double[] labels = new double[rowStarts.length - 1];
    double[] values = new double[indices.length];
    SparseBlock block = new SparseBlock(1, labels, 10, rowStarts, indices, values);

    assertThat(block.isAscending()).as(what).isEqualTo(isAscending);
    assertThat(CodedBlocks.coded(block).isAscending()).as(what).isEqualTo(isAscending);
  }
}
