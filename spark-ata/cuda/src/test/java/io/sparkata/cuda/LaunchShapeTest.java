package io.sparkata.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.SparseBlock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How much is cleared and added up besides the rows. */
class LaunchShapeTest {
  private static final int MULTIPROCESSORS = 132;

  /** 346,000 non-zeros, the number in a block of 4 MiB. */
  private static final int ROWS = 3460;

  private static final int PER_ROW = 100;

  @Test
  void of_sparseRows_hasNoMoreCellsThanNonZeros() {
    assertThat(sparse(10_000, ROWS).copies()).isEqualTo(34);
    assertThat(sparse(10_000, ROWS / 10).copies()).as("of a sample").isEqualTo(3);
    assertThat(sparse(1_000_000, ROWS).copies()).isEqualTo(1);
    assertThat(sparse(10_000, ROWS).blocks()).as("as many threads as ever").isEqualTo(433);
  }

  @Test
  void of_sparseRowsOfFewFeatures_hasAsManyCopiesAsTheDeviceHoldsAtOnce() {
    assertThat(sparse(200, ROWS).copies()).isEqualTo(3 * MULTIPROCESSORS);
  }

  @Test
  void of_sparseRowsWithoutNonZeros_hasOneCopy() {
    SparseBlock empty =
        new SparseBlock(1, new double[9], 100, new int[10], new int[0], new double[0]);
    assertThat(LaunchShape.of(empty, 9, MULTIPROCESSORS, /* isSingle= */ false).copies())
        .isEqualTo(1);
  }

  @Test
  void ofClasses_sparseRows_hasNoMoreCellsThanNonZeros() {
    assertThat(ofClasses(10_000, 9).copies()).isEqualTo(3);
    assertThat(ofClasses(10_000, 99).copies()).isEqualTo(1);
    assertThat(ofClasses(10_000, 99).blocks()).as("as many threads as ever").isEqualTo(433);
  }

  /** Each block of threads has a copy. */
  @Test
  void ofClasses_denseRows_hasAsManyCopiesAsBlocks() {
    DenseBlock dense = new DenseBlock(1, new double[ROWS], 10, new double[ROWS * 10]);
    LaunchShape shape =
        LaunchShape.ofClasses(dense, ROWS, MULTIPROCESSORS, /* isSingle= */ false, 10 * 99);
    assertThat(shape.copies()).isEqualTo(shape.blocks()).isEqualTo(433);
  }

  private static LaunchShape sparse(int width, int count) {
    return LaunchShape.of(block(width), count, MULTIPROCESSORS, /* isSingle= */ false);
  }

  private static LaunchShape ofClasses(int width, int classes) {
    return LaunchShape.ofClasses(
        block(width), ROWS, MULTIPROCESSORS, /* isSingle= */ false, width * classes);
  }

  private static SparseBlock block(int width) {
    int[] starts = IntStream.rangeClosed(0, ROWS).map(row -> row * PER_ROW).toArray();
    int[] indices = IntStream.range(0, ROWS * PER_ROW).map(k -> k % PER_ROW).toArray();
    return new SparseBlock(1, new double[ROWS], width, starts, indices, new double[indices.length]);
  }
}
