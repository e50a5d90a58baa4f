package io.sparkata.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.SparseBlock;
import io.sparkata.cuda.GradientRequest.Part;
import java.util.List;
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
    assertThat(sparse(10_000, ROWS).blocks()).as("blocks of threads").isEqualTo(433);
  }

  @Test
  void of_sparseRowsOfFewFeatures_hasACopyPerMultiprocessor() {
    assertThat(sparse(200, ROWS).copies()).isEqualTo(MULTIPROCESSORS);
  }

  @Test
  void of_sparseRowsWithoutNonZeros_hasOneCopy() {
    SparseBlock empty =
        new SparseBlock(1, new double[9], 100, new int[10], new int[0], new double[0]);
    assertThat(shape(new Part(empty, null, 0, 9)).copies()).isEqualTo(1);
  }

  @Test
  void ofClasses_sparseRows_hasNoMoreCellsThanNonZeros() {
    assertThat(ofClasses(10_000, 9).copies()).isEqualTo(3);
    assertThat(ofClasses(10_000, 99).copies()).isEqualTo(1);
    assertThat(ofClasses(10_000, 99).blocks()).as("blocks of threads").isEqualTo(433);
  }

  /** Each block of threads has a copy. */
  @Test
  void ofClasses_denseRows_hasAsManyCopiesAsBlocks() {
    DenseBlock dense = new DenseBlock(1, new double[ROWS], 10, new double[ROWS * 10]);
    LaunchShape shape = ofClasses(new Part(dense, null, 0, ROWS), 10 * 99);
    assertThat(shape.copies()).isEqualTo(shape.blocks()).isEqualTo(433);
  }

  /** The rows of all parts count together. */
  @Test
  void of_manyParts_isTheShapeOfTheirSum() {
    Part whole = new Part(block(10_000), null, 0, ROWS);
    Part some = new Part(block(10_000), new int[] {1, 3}, 0, 2);
    LaunchShape shape = shape(whole, whole, some);
    assertThat(shape.copies()).isEqualTo(69);
    assertThat(shape.blocks()).isEqualTo(6 * MULTIPROCESSORS);
  }

  private static LaunchShape sparse(int width, int count) {
    return shape(new Part(block(width), null, 0, count));
  }

  private static LaunchShape shape(Part... parts) {
    double[] weights = new double[parts[0].block().width()];
    GradientRequest request = new GradientRequest(/* loss= */ 0, List.of(parts), weights);
    return LaunchShape.of(request, MULTIPROCESSORS, /* isSingle= */ false);
  }

  private static LaunchShape ofClasses(int width, int classes) {
    return ofClasses(new Part(block(width), null, 0, ROWS), width * classes);
  }

  private static LaunchShape ofClasses(Part part, int weights) {
    GradientRequest request = new GradientRequest(-1, List.of(part), new double[weights]);
    return LaunchShape.ofClasses(request, MULTIPROCESSORS, /* isSingle= */ false);
  }

  private static SparseBlock block(int width) {
    int[] starts = IntStream.rangeClosed(0, ROWS).map(row -> row * PER_ROW).toArray();
    int[] indices = IntStream.range(0, ROWS * PER_ROW).map(k -> k % PER_ROW).toArray();
    return new SparseBlock(1, new double[ROWS], width, starts, indices, new double[indices.length]);
  }
}
