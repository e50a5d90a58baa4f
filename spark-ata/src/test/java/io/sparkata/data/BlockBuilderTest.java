package io.sparkata.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockBuilderTest {
  private static final long STAMP = 7;
  private static final long FULL = 1 << 20;

  @Test
  void build_denseRows_packsThemRowMajor() {
    PackedBlock block = blockOf(List.of(dense(1, 2), dense(3, 4), dense(5, -0.0)));

    assertThat(block).isInstanceOf(DenseBlock.class);
    assertThat(((DenseBlock) block).width()).isEqualTo(2);
    assertThat(((DenseBlock) block).values()).containsExactly(1, 2, 3, 4, 5, -0.0);
    assertThat(block.bytes()).isEqualTo(3 * 8 + 6 * 8);
  }

  @Test
  void build_sparseRows_packsThemAsCompressedRows() {
    Vector empty = Vectors.sparse(5, new int[0], new double[0]);
    PackedBlock block = blockOf(List.of(sparse(5, 0, 4), empty, sparse(5, 2)));

    assertThat(block).isInstanceOf(SparseBlock.class);
    SparseBlock rows = (SparseBlock) block;
    assertThat(rows.width()).isEqualTo(5);
    assertThat(rows.rowStarts()).containsExactly(0, 2, 2, 3);
    assertThat(rows.indices()).containsExactly(0, 4, 2);
    assertThat(rows.values()).containsExactly(0.5, 4.5, 2.5);
    assertThat(rows.bytes()).isEqualTo(3 * 8 + 4 * 4 + 3 * (4 + 8));
  }

  @Test
  void build_sparseRowsOfFewValues_codesThemBitByBit() {
    double otherNan = Double.longBitsToDouble(0x7ff8000000000123L);
    double[] few = {1 / Math.sqrt(3), 0.0, -0.0, Double.NaN, otherNan, Double.MIN_VALUE};
    List<Vector> rows =
        IntStream.range(0, 100)
            .mapToObj(r -> sparseOf(few[r % 6], few[r % 5], few[r % 4]))
            .toList();

    SparseBlock block = (SparseBlock) blockOf(rows);

    assertThat(block.codes()).isPresent();
    assertThat(block.bytes()).isEqualTo(100 * 8 + 101 * 4 + 300 * 5 + 6 * 8);
    for (int row = 0; row < 100; row++) {
      assertThat(bits(block.features(row))).isEqualTo(bits(rows.get(row)));
      assertThat(bits(Arrays.copyOfRange(block.values(), 3 * row, 3 * row + 3)))
          .isEqualTo(bits(rows.get(row)));
    }
  }

  @ParameterizedTest
  @CsvSource({"256, true", "257, false"})
  void build_asManyValuesAsAByteTellsApart_codesNoMore(int different, boolean isCoded) {
    List<Vector> rows =
        IntStream.range(0, 1000).<Vector>mapToObj(r -> sparseOf(r % different)).toList();

    SparseBlock block = (SparseBlock) blockOf(rows);

    assertThat(block.codes().isPresent()).isEqualTo(isCoded);
    assertThat(block.values())
        .isEqualTo(IntStream.range(0, 1000).mapToDouble(r -> r % different).toArray());
  }

  @Test
  void build_tableThatTakesMoreThanCodesSave_codesNothing() {
    SparseBlock seven = (SparseBlock) blockOf(List.of(sparseOf(1, 2, 3, 4, 5, 6, 7)));
    SparseBlock eight = (SparseBlock) blockOf(List.of(sparseOf(1, 2, 3, 4, 5, 6, 6, 6)));

    assertThat(seven.codes()).isEmpty();
    assertThat(eight.codes()).isPresent();
    assertThat(eight.bytes()).isLessThan(8 + 2 * 4 + 8 * 12);
  }

  @Test
  void add_rowThatEndsTheCodingOfALargeBlock_isTheNextOnes() {
    double[] many = IntStream.range(0, 257).mapToDouble(i -> i).toArray();
    BlockBuilder large = new BlockBuilder(STAMP, /* fullBytes= */ 50 * (8 + 4 + 2 * 12));
    for (int row = 0; row < 50; row++) {
      assertThat(large.add(row, sparseOf(1, 2))).isTrue();
      assertThat(large.isFull()).isFalse();
    }

    assertThat(large.add(50, sparseOf(many))).isFalse();
    assertThat(large.add(50, dense(1, 2))).isFalse();
    assertThat(large.add(50, sparse(5, 1))).isFalse();
    assertThat(large.add(50, sparseOf(2, 1))).isTrue();
    assertThat(large.add(51, sparseOf(3, 255))).isTrue();

    SparseBlock block = (SparseBlock) large.build();
    assertThat(block.bytes()).isEqualTo(52 * 8 + 53 * 4 + 104 * 5 + 4 * 8);
    assertThat(block.features(49)).isEqualTo(sparseOf(1, 2));
    assertThat(block.features(50)).isEqualTo(sparseOf(2, 1));
    assertThat(block.features(51)).isEqualTo(sparseOf(3, 255));
  }

  @Test
  void add_rowThatEndsTheCodingOfASmallBlock_isAdded() {
    double[] many = IntStream.range(0, 257).mapToDouble(i -> i).toArray();
    Vector padded = Vectors.sparse(257, new int[] {3}, new double[] {1});
    BlockBuilder small = new BlockBuilder(STAMP, FULL);

    assertThat(small.add(1, padded)).isTrue();
    assertThat(small.add(2, sparseOf(many))).isTrue();

    SparseBlock block = (SparseBlock) small.build();
    assertThat(block.codes()).isEmpty();
    assertThat(block.features(0)).isEqualTo(padded);
    assertThat(block.features(1)).isEqualTo(sparseOf(many));
  }

  /** As the packer does: no row is lost, and no block is larger than it may be and a row more. */
  @Property(tries = 500)
  void add_anyRows_blocksHoldThemAllAndAreOfTheSize(
      @ForAll @IntRange(min = 1, max = 300) int rows,
      @ForAll @IntRange(min = 1, max = 20_000) int fullBytes,
      @ForAll @IntRange(min = 1, max = 1000) int different,
      @ForAll boolean isOfOneKind,
      @ForAll long seed) {
    Random random = new Random(seed);
    List<PackedBlock> blocks = new ArrayList<>();
    List<Vector> packed = new ArrayList<>();
    BlockBuilder builder = new BlockBuilder(STAMP, fullBytes);
    for (int row = 0; row < rows; row++) {
      double[] values =
          random.doubles(random.nextInt(60)).map(x -> (int) (x * different)).toArray();
      boolean isDense = !isOfOneKind && random.nextInt(50) == 0;
      Vector next =
          isDense
              ? Vectors.dense(values)
              : new SparseVector(60, IntStream.range(0, values.length).toArray(), values);
      if (!builder.add(row, next)) {
        blocks.add(builder.build());
        builder = new BlockBuilder(STAMP, fullBytes);
        assertThat(builder.add(row, next)).isTrue();
      }
      packed.add(next);
      if (builder.isFull()) {
        blocks.add(builder.build());
        builder = new BlockBuilder(STAMP, fullBytes);
      }
    }
    blocks.add(builder.build());

    int row = 0;
    for (PackedBlock block : blocks) {
      for (int r = 0; r < block.rows(); r++, row++) {
        assertThat(block.label(r)).isEqualTo(row);
        assertThat(bits(block.features(r))).isEqualTo(bits(packed.get(row)));
      }
      if (!(block instanceof MixedBlock)) {
        assertThat(block.bytes()).isLessThan(fullBytes + 8 + 8 + 60 * 12);
      }
    }
    assertThat(row).isEqualTo(rows);
  }

  @Test
  void build_mixedKinds_keepsEveryRowAsItCame() {
    List<Vector> rows = List.of(dense(1, 2, 3), sparse(3, 1), dense(4, 5, 6));
    PackedBlock block = blockOf(rows);

    assertThat(block).isInstanceOf(MixedBlock.class);
    assertThatRowsAre(block, rows);
    assertThat(block.bytes()).isGreaterThan(2 * 3 * 8 + 12 + 3 * 8);
  }

  @Test
  void build_denseRowsOfUnequalLength_keepsEveryRowAsItCame() {
    List<Vector> rows = List.of(dense(1, 2), dense(3), dense(4, 5));
    PackedBlock block = blockOf(rows);

    assertThat(block).isInstanceOf(MixedBlock.class);
    assertThatRowsAre(block, rows);
  }

  @Test
  void build_sparseRowsOfUnequalLength_keepsEveryRowAsItCame() {
    List<Vector> rows = List.of(sparse(3, 0), sparse(3, 2), sparse(4, 0));
    PackedBlock block = blockOf(rows);

    assertThat(block).isInstanceOf(MixedBlock.class);
    assertThatRowsAre(block, rows);
  }

  @Test
  void build_zeroFeatures_keepsLabelsAndCount() {
    PackedBlock dense = blockOf(List.of(dense(), dense()));
    PackedBlock sparse = blockOf(List.of(sparse(0), sparse(0)));

    assertThat(dense).isInstanceOf(DenseBlock.class);
    assertThatRowsAre(dense, List.of(dense(), dense()));
    assertThat(sparse).isInstanceOf(SparseBlock.class);
    assertThatRowsAre(sparse, List.of(sparse(0), sparse(0)));
  }

  @Test
  void build_noRows_isAnEmptyBlock() {
    PackedBlock block = new BlockBuilder(STAMP, FULL).build();

    assertThat(block.rows()).isZero();
    assertThat(block.bytes()).isZero();
    assertThat(block.stamp()).isEqualTo(STAMP);
  }

  @Test
  void build_moreRowsThanRoomForLabels_keepsAllLabels() {
    BlockBuilder builder = new BlockBuilder(STAMP, FULL);
    for (int row = 0; row < 1000; row++) {
      builder.add(row - 0.25, dense(row, -row));
    }
    PackedBlock block = builder.build();

    assertThat(block.rows()).isEqualTo(1000);
    for (int row = 0; row < 1000; row++) {
      assertThat(block.label(row)).isEqualTo(row - 0.25);
      assertThat(block.features(row)).isEqualTo(dense(row, -row));
    }
  }

  @Test
  void features_denseAndSparse_areOfTheCallersClassAndValues() {
    List<Vector> dense = List.of(dense(1, 0), dense(0, 2));
    List<Vector> sparse = List.of(sparse(9, 3, 8), sparse(9), sparse(9, 0));

    assertThatRowsAre(blockOf(dense), dense);
    assertThatRowsAre(blockOf(sparse), sparse);
  }

  @Test
  void features_changedByItsReader_leaveTheBlockAsItWas() {
    PackedBlock dense = blockOf(List.of(dense(1, 2), dense(3, 4)));
    PackedBlock sparse = blockOf(List.of(sparse(4, 1), sparse(4, 3)));

    ((DenseVector) dense.features(1)).values()[0] = 99;
    ((SparseVector) sparse.features(1)).values()[0] = 99;
    ((SparseVector) sparse.features(1)).indices()[0] = 0;

    assertThat(dense.features(1)).isEqualTo(dense(3, 4));
    assertThat(sparse.features(1)).isEqualTo(sparse(4, 3));
  }

  @Test
  void add_callersArrayChangedAfterBuild_leavesTheBlockAsItWas() {
    double[] values = {1, 2};
    PackedBlock block = blockOf(List.of(Vectors.dense(values)));

    values[0] = 99;

    assertThat(block.features(0)).isEqualTo(dense(1, 2));
  }

  @Test
  void add_oneVectorUsedForAllRows_packsEachRowAsItWas() {
    double[] values = {1, 2};
    Vector reused = Vectors.dense(values);
    BlockBuilder builder = new BlockBuilder(STAMP, FULL);
    builder.add(1, reused);
    values[0] = 99;
    builder.add(2, reused);

    PackedBlock block = builder.build();

    assertThat(block.features(0)).isEqualTo(dense(1, 2));
    assertThat(block.features(1)).isEqualTo(dense(99, 2));
  }

  @Test
  void bytes_rowsAdded_growsByWhatTheyTakePacked() {
    BlockBuilder builder = new BlockBuilder(STAMP, FULL);
    assertThat(builder.bytes()).isZero();

    builder.add(1, dense(1, 2, 3));
    assertThat(builder.bytes()).isEqualTo(8 + 3 * 8);
    assertThat(builder.rows()).isEqualTo(1);

    builder.add(1, sparse(1000, 1, 2));
    assertThat(builder.bytes()).isEqualTo(8 + 3 * 8 + 8 + 4 + 2 * 12);
    assertThat(builder.rows()).isEqualTo(2);
  }

  /** Row r has label r + 0.5. */
  private static PackedBlock blockOf(List<Vector> rows) {
    BlockBuilder builder = new BlockBuilder(STAMP, FULL);
    for (int row = 0; row < rows.size(); row++) {
      builder.add(row + 0.5, rows.get(row));
    }
    PackedBlock block = builder.build();
    assertThat(block.stamp()).isEqualTo(STAMP);
    assertThat(block.rows()).isEqualTo(rows.size());
    return block;
  }

  private static void assertThatRowsAre(PackedBlock block, List<Vector> rows) {
    assertThat(block.rows()).isEqualTo(rows.size());
    for (int row = 0; row < rows.size(); row++) {
      assertThat(block.label(row)).isEqualTo(row + 0.5);
      assertThat(block.features(row)).hasSameClassAs(rows.get(row)).isEqualTo(rows.get(row));
      assertThat(block.features(row).size()).isEqualTo(rows.get(row).size());
    }
  }

  private static Vector dense(double... values) {
    return new DenseVector(values);
  }

  private static Vector sparseOf(double... values) {
    return new SparseVector(values.length, IntStream.range(0, values.length).toArray(), values);
  }

  private static long[] bits(Vector row) {
    return bits(row instanceof SparseVector sparse ? sparse.values() : row.toArray());
  }

  private static long[] bits(double[] values) {
    return Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
  }

  /** The value at index i is i + 0.5. */
  private static Vector sparse(int width, int... indices) {
    double[] values = new double[indices.length];
    for (int i = 0; i < indices.length; i++) {
      values[i] = indices[i] + 0.5;
    }
    return new SparseVector(width, indices, values);
  }
}
