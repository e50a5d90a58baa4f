package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
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
  private static final long SIZE = 1 << 20;

  /** Values and 256 codes, and a table of as many, take as much. */
  private static final int BELOW_WHICH_CODES_DO_NOT_PAY = 256 * 8 * 8 / 7;

  private static final long ROOM = BlockBuilder.ROOM_BYTES;

  @Test
  void build_denseRows_packsThemRowMajor() {
    PackedBlock block = blockOf(List.of(dense(1, 2), dense(3, 4), dense(5, -0.0)));

    assertThat(block).isInstanceOf(DenseBlock.class);
    assertThat(((DenseBlock) block).width()).isEqualTo(2);
    assertThat(((DenseBlock) block).values()).startsWith(new double[DenseBlock.START]);
    assertThat(((DenseBlock) block).values()).endsWith(1, 2, 3, 4, 5, -0.0).hasSize(12);
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
    BlockBuilder large = new BlockBuilder(STAMP, 50 * (8 + 4 + 2 * 12) + ROOM);
    for (int row = 0; row < 50; row++) {
      assertThat(large.add(row, sparseOf(1, 2))).isTrue();
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
    BlockBuilder small = new BlockBuilder(STAMP, SIZE);

    assertThat(small.add(1, padded)).isTrue();
    assertThat(small.add(2, sparseOf(many))).isTrue();

    SparseBlock block = (SparseBlock) small.build();
    assertThat(block.codes()).isEmpty();
    assertThat(block.features(0)).isEqualTo(padded);
    assertThat(block.features(1)).isEqualTo(sparseOf(many));
  }

  @ParameterizedTest
  @CsvSource({"0, true", "-1, false"})
  void add_rowThatFillsTheSize_isAddedWhereItFits(int less, boolean isAdded) {
    assertNinthFits(isAdded, 9 * (8 + 3 * 8) + less, row -> dense(1, 2, row));
    assertNinthFits(isAdded, 9 * (8 + 4 + 12) + less, row -> sparse(20, row));
  }

  /** So that the size is that of a region of the heap: a dense block fills it, values a half. */
  @ParameterizedTest
  @CsvSource({"0, true", "-2, false"})
  void add_rowThatFillsHalfOfTheSizeByValuesOrIndices_isAddedWhereItFits(
      int less, boolean isAdded) {
    int[] columns = IntStream.range(0, 300).toArray();
    assertNinthFits(
        isAdded,
        2 * 9 * 300 * 8 + less,
        row ->
            new SparseVector(
                300, columns, Arrays.stream(columns).mapToDouble(j -> 0.5 * j + row).toArray()));
    assertNinthFits(
        isAdded, 2 * 9 * 300 * 4 + less, row -> new SparseVector(300, columns, new double[300]));
  }

  private static void assertNinthFits(boolean isAdded, int most, IntFunction<Vector> rows) {
    BlockBuilder builder = new BlockBuilder(STAMP, most + ROOM);
    for (int row = 0; row < 8; row++) {
      assertThat(builder.add(row, rows.apply(row))).isTrue();
    }

    assertThat(builder.add(8, rows.apply(8))).isEqualTo(isAdded);

    assertThat(builder.build().rows()).isEqualTo(isAdded ? 9 : 8);
  }

  @Test
  void add_rowLongerThanTheSize_hasABlockOfItsOwn() {
    BlockBuilder builder = new BlockBuilder(STAMP, ROOM + 100);

    assertThat(builder.add(1, dense(new double[1000]))).isTrue();
    assertThat(builder.add(2, dense(1))).isFalse();

    assertThat(builder.build().rows()).isEqualTo(1);
  }

  /** As the packer does: no row is lost, no block larger than it may be, and none ends early. */
  @Property(tries = 500)
  void add_anyRows_blocksHoldThemAllAndAreOfTheSize(
      @ForAll @IntRange(min = 1, max = 300) int rows,
      @ForAll @IntRange(min = 1, max = 20_000) int most,
      @ForAll @IntRange(min = 1, max = 1000) int different,
      @ForAll boolean isOfOneKind,
      @ForAll long seed) {
    Random random = new Random(seed);
    List<PackedBlock> blocks = new ArrayList<>();
    List<Vector> packed = new ArrayList<>();
    BlockBuilder builder = new BlockBuilder(STAMP, most + ROOM);
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
        assertThat(builder.add(row, next)).isTrue();
      }
      packed.add(next);
    }
    blocks.add(builder.build());

    int row = 0;
    for (PackedBlock block : blocks) {
      long plainBytes = 0;
      long numbers = 0;
      boolean isDense = true;
      for (int r = 0; r < block.rows(); r++, row++) {
        assertThat(block.label(r)).isEqualTo(row);
        assertThat(bits(block.features(r))).isEqualTo(bits(packed.get(row)));
        plainBytes += plainBytes(packed.get(row));
        numbers += packed.get(row).numActives();
        isDense &= packed.get(row) instanceof DenseVector;
      }
      if (!(block instanceof MixedBlock) && block.rows() > 1) {
        assertThat(block.bytes()).isLessThanOrEqualTo(most + Integer.BYTES);
        boolean isCoded = block instanceof SparseBlock sparse && sparse.codes().isPresent();
        long largest = isDense ? 0 : numbers * (isCoded ? 4 : 8);
        assertThat(largest).isLessThanOrEqualTo(Math.max(most / 2, BELOW_WHICH_CODES_DO_NOT_PAY));
      }
      if (row < rows) {
        Vector next = packed.get(row);
        boolean isFull = plainBytes + plainBytes(next) > most;
        boolean isHalf = 8 * (numbers + next.numActives()) > most / 2;
        boolean isDenseWithNext = isDense && next instanceof DenseVector;
        assertThat(isFull || (isHalf && !isDenseWithNext)).isTrue();
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
    PackedBlock block = new BlockBuilder(STAMP, SIZE).build();

    assertThat(block.rows()).isZero();
    assertThat(block.bytes()).isZero();
    assertThat(block.packingId()).isEqualTo(STAMP);
  }

  @Test
  void build_moreRowsThanRoomForLabels_keepsAllLabels() {
    BlockBuilder builder = new BlockBuilder(STAMP, SIZE);
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
    BlockBuilder builder = new BlockBuilder(STAMP, SIZE);
    builder.add(1, reused);
    values[0] = 99;
    builder.add(2, reused);

    PackedBlock block = builder.build();

    assertThat(block.features(0)).isEqualTo(dense(1, 2));
    assertThat(block.features(1)).isEqualTo(dense(99, 2));
  }

  private static long plainBytes(Vector row) {
    return row instanceof SparseVector sparse
        ? 12 + 12L * sparse.values().length
        : 8 + 8L * row.size();
  }

  /** Row r has label r + 0.5. */
  private static PackedBlock blockOf(List<Vector> rows) {
    BlockBuilder builder = new BlockBuilder(STAMP, SIZE);
    for (int row = 0; row < rows.size(); row++) {
      builder.add(row + 0.5, rows.get(row));
    }
    PackedBlock block = builder.build();
    assertThat(block.packingId()).isEqualTo(STAMP);
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
