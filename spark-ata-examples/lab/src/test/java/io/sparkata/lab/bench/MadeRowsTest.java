package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

class MadeRowsTest {
  private static final int ROWS = 200;

  @Test
  void row_isTheSameWheneverAsked() {
    MadeRows rows = MadeRows.of(MadeRows.SPARSE, Workload.SMALL, 1.0, 7);
    assertThat(rows.row(3)).isEqualTo(rows.row(3)).isNotEqualTo(rows.row(4));
    assertThat(MadeRows.of(MadeRows.SPARSE, Workload.SMALL, 1.0, 8).row(3))
        .isNotEqualTo(rows.row(3));
  }

  @Test
  void rows_areNotEachOtherShifted() {
    MadeRows rows = MadeRows.of(MadeRows.DENSE, Workload.SMALL, 1.0, 1);
    Set<Double> values = new HashSet<>();
    for (int i = 0; i < ROWS; i++) {
      for (double value : rows.row(i)._2().toArray()) {
        values.add(value);
      }
    }
    assertThat(values).hasSize(ROWS * rows.features());
  }

  @Test
  void dense_largeRows_haveEveryClassAndValuesAroundZero() {
    MadeRows rows = MadeRows.of(MadeRows.DENSE, Workload.LARGE, 1.0, 1);
    Set<Object> labels = new HashSet<>();
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      Tuple2<Object, Vector> row = rows.row(i);
      labels.add(row._1());
      assertThat(row._2().size()).isEqualTo(rows.features());
      for (double value : row._2().toArray()) {
        assertThat(value).isBetween(-1.0, 1.0);
        sum += value;
      }
    }
    assertThat(labels).hasSize(10).allMatch(label -> (Double) label >= 0 && (Double) label <= 9);
    assertThat(sum / ROWS / rows.features()).isBetween(-0.02, 0.02);
    assertThat(rows.start().size()).isEqualTo(9 * rows.features());
  }

  @Test
  void sparse_row_hasAscendingIndicesInRange() {
    MadeRows rows = MadeRows.of(MadeRows.SPARSE, Workload.SMALL, 0.1, 1);
    for (int i = 0; i < ROWS; i++) {
      SparseVector row = (SparseVector) rows.row(i)._2();
      assertThat(row.indices()).hasSize(rows.nonZeros()).isSorted().doesNotHaveDuplicates();
      assertThat(row.indices()[0]).isNotNegative();
      assertThat(row.indices()[rows.nonZeros() - 1]).isLessThan(rows.features());
    }
  }

  @Test
  void gradient_ofLargeRounds_isMllibsOwnWhereAskedFor() {
    for (String layout : List.of(MadeRows.DENSE, MadeRows.SPARSE)) {
      assertThat(MadeRows.of(layout, Workload.LARGE, 1.0, 1).gradient())
          .isExactlyInstanceOf(UserLogistic.class);
      assertThat(MadeRows.of(layout, Workload.LARGE_MLLIB, 1.0, 1).gradient())
          .isExactlyInstanceOf(LogisticGradient.class);
    }
  }

  @Test
  void dataset_saysWhatTheRowsAre() {
    assertThat(MadeRows.of(MadeRows.DENSE, Workload.LARGE, 1.0, 1).dataset())
        .isEqualTo("made dense 30000 x 200, 10 classes, a user's gradient");
    assertThat(MadeRows.of(MadeRows.DENSE, Workload.LARGE_MLLIB, 1.0, 1).dataset())
        .isEqualTo("made dense 30000 x 200, 10 classes");
    assertThat(MadeRows.of(MadeRows.DENSE, Workload.MEDIUM, 1.0, 1).dataset())
        .isEqualTo("made dense 2000000 x 100");
    assertThat(MadeRows.of(MadeRows.SPARSE, Workload.SMALL, 1.0, 1).dataset())
        .isEqualTo("made sparse 200000 x 10000, 64 a row");
  }
}
