package io.sparkata.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;

class BlockBuilderTest {
  private static final long STAMP = 7;

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
    PackedBlock block = new BlockBuilder(STAMP).build();

    assertThat(block.rows()).isZero();
    assertThat(block.bytes()).isZero();
    assertThat(block.stamp()).isEqualTo(STAMP);
  }

  @Test
  void build_moreRowsThanRoomForLabels_keepsAllLabels() {
    BlockBuilder builder = new BlockBuilder(STAMP);
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
    BlockBuilder builder = new BlockBuilder(STAMP);
    builder.add(1, reused);
    values[0] = 99;
    builder.add(2, reused);

    PackedBlock block = builder.build();

    assertThat(block.features(0)).isEqualTo(dense(1, 2));
    assertThat(block.features(1)).isEqualTo(dense(99, 2));
  }

  @Test
  void bytes_rowsAdded_growsByWhatTheyTakePacked() {
    BlockBuilder builder = new BlockBuilder(STAMP);
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
    BlockBuilder builder = new BlockBuilder(STAMP);
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

  /** The value at index i is i + 0.5. */
  private static Vector sparse(int width, int... indices) {
    double[] values = new double[indices.length];
    for (int i = 0; i < indices.length; i++) {
      values[i] = indices[i] + 0.5;
    }
    return new SparseVector(width, indices, values);
  }
}
