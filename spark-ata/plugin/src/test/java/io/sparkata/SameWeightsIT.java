package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Counters;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Pairwise;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import io.sparkata.testing.UserGradient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/**
 * The invariant: MLlib's weights under wild allocations, on three executor JVMs. Runs cases that
 * cover every pair of settings, for 8 rounds; {@code -Data.cases=all}, as {@code scripts/test
 * --all} has it, runs the full product for 30.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(1)
class SameWeightsIT {
  private static final int ITERATIONS = Pairwise.isFull() ? 30 : 8;
  private static final int FEATURES = 20;
  private static final List<Double> FRACTIONS = List.of(0.05, 0.3, 0.5, 1.0);

  /** So many that no second-level cache holds weights and sums. */
  private static final int WIDE = 1 << 17;

  private final Map<Case, Tuple2<Vector, double[]>> stock = new HashMap<>();
  private Tuple2<Vector, double[]> stockWide;
  private Tuple2<Vector, double[]> stockOfFewValues;
  private TestCluster cluster;

  @SuppressWarnings("ImmutableEnumChecker")
  enum Loss {
    LOGISTIC(LogisticGradient::new),
    LEAST_SQUARES(LeastSquaresGradient::new),
    HINGE(HingeGradient::new),
    USER(UserGradient::new);

    private final Supplier<Gradient> gradient;

    Loss(Supplier<Gradient> gradient) {
      this.gradient = gradient;
    }
  }

  enum Shape {
    MORE_PARTITIONS_THAN_EXECUTORS {
      @Override
      RDD<Tuple2<Object, Vector>> of(JavaSparkContext spark, List<Tuple2<Object, Vector>> rows) {
        return TestData.partitions(spark, rows, 7);
      }
    },
    FEWER_PARTITIONS_THAN_EXECUTORS {
      @Override
      RDD<Tuple2<Object, Vector>> of(JavaSparkContext spark, List<Tuple2<Object, Vector>> rows) {
        return TestData.partitions(spark, rows, 2);
      }
    },
    VERY_UNEQUAL_PARTITIONS {
      @Override
      RDD<Tuple2<Object, Vector>> of(JavaSparkContext spark, List<Tuple2<Object, Vector>> rows) {
        int most = rows.size() - 41;
        return TestData.unequalPartitions(spark, rows, 1, 0, most, 37, 3);
      }
    },
    BEHIND_A_REPARTITION {
      @Override
      RDD<Tuple2<Object, Vector>> of(JavaSparkContext spark, List<Tuple2<Object, Vector>> rows) {
        return TestData.partitions(spark, rows, 5).toJavaRDD().repartition(4).rdd();
      }
    };

    abstract RDD<Tuple2<Object, Vector>> of(
        JavaSparkContext spark, List<Tuple2<Object, Vector>> rows);
  }

  record Case(Loss loss, boolean isSparse, double fraction, Shape shape) {
    List<Object> settings() {
      return List.of(loss, isSparse, fraction, shape);
    }
  }

  private static final List<Case> POLICY_CASES =
      List.of(
          new Case(Loss.LOGISTIC, false, 0.3, Shape.VERY_UNEQUAL_PARTITIONS),
          new Case(Loss.HINGE, true, 1.0, Shape.BEHIND_A_REPARTITION));
  private static final Case MOVING =
      new Case(Loss.LOGISTIC, false, 0.5, Shape.FEWER_PARTITIONS_THAN_EXECUTORS);

  /** Every case; behind a repartition two looks sample different rows, so all are taken there. */
  static List<Case> allCases() {
    List<Case> cases = new ArrayList<>();
    for (Loss loss : Loss.values()) {
      for (boolean isSparse : new boolean[] {false, true}) {
        for (double fraction : FRACTIONS) {
          for (Shape shape : Shape.values()) {
            if (shape != Shape.BEHIND_A_REPARTITION || fraction == 1.0) {
              cases.add(new Case(loss, isSparse, fraction, shape));
            }
          }
        }
      }
    }
    return cases;
  }

  static Stream<Case> cases() {
    return Pairwise.of(allCases(), Case::settings).stream();
  }

  @BeforeAll
  void start() {
    Stream<Case> all = Stream.of(cases(), POLICY_CASES.stream(), Stream.of(MOVING)).flatMap(c -> c);
    Mllib.withStock(
        spark -> {
          all.distinct().forEach(c -> stock.put(c, training(spark, c).trainByMllib()));
          stockWide = wideTraining(spark).trainByMllib();
          stockOfFewValues = trainingOfFewValues(spark).trainByMllib();
        });
    cluster = TestCluster.shared();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void train_scattered_givesMllibsWeights(Case setting) {
    assertSame(setting, /* policy= */ null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"uniform", "ata", "adaptive"})
  void train_namedPolicy_givesMllibsWeights(String policy) {
    POLICY_CASES.forEach(setting -> assertSame(setting, policy));
  }

  @Test
  void train_moreFeaturesThanCachesHold_givesMllibsWeights() {
    Mllib.assertSame(wideTraining(cluster.context()).trainBySparkAta("uniform"), stockWide);
  }

  @Test
  void train_scatteredRowsOfFewValues_givesMllibsWeights() {
    long fetched = cluster.counters().fetchedBlocks.get();

    Mllib ours = trainingOfFewValues(cluster.context());

    Mllib.assertSame(ours.trainBySparkAta(/* policy= */ null), stockOfFewValues);
    assertThat(cluster.counters().fetchedBlocks.get()).as("of coded ones").isGreaterThan(fetched);
  }

  @Test
  void scatteredRuns_inAll_cutBlocksFetchedThemAndKeptReplicas() {
    Counters counters = cluster.counters();
    long cuts = counters.cuts.get();
    long fetched = counters.fetchedBlocks.get();
    long kept = counters.keptReplicas.get();

    assertSame(MOVING, /* policy= */ null);

    assertThat(counters.cuts.get()).isGreaterThan(cuts);
    assertThat(counters.fetchedBlocks.get()).isGreaterThan(fetched);
    assertThat(counters.keptReplicas.get()).isGreaterThan(kept);
  }

  private void assertSame(Case setting, String policy) {
    long roundsBefore = cluster.counters().rounds.get();

    Tuple2<Vector, double[]> ours = training(cluster.context(), setting).trainBySparkAta(policy);

    assertThat(cluster.counters().rounds.get() - roundsBefore).isEqualTo(ITERATIONS + 1);
    assertThat(cluster.counters().fallbacks).hasValue(0);
    assertThat(cluster.counters().passedThrough).hasValue(0);
    Mllib.assertSame(ours, stock.get(setting));
  }

  private static Mllib wideTraining(JavaSparkContext spark) {
    List<Tuple2<Object, Vector>> rows = TestData.rows(60, WIDE, /* sparse= */ true, 7);
    RDD<Tuple2<Object, Vector>> data = TestData.partitions(spark, rows, 3);
    return new Mllib(data, new LogisticGradient(), /* fraction= */ 1.0, /* iterations= */ 5, WIDE);
  }

  /** Indicators, scaled: packed in a byte for a value. */
  private static Mllib trainingOfFewValues(JavaSparkContext spark) {
    List<Tuple2<Object, Vector>> rows = new ArrayList<>();
    for (Tuple2<Object, Vector> row : TestData.rows(3000, FEATURES, /* sparse= */ true, 7)) {
      SparseVector features = (SparseVector) row._2();
      double[] values = new double[features.values().length];
      Arrays.fill(values, 1 / Math.sqrt(values.length));
      rows.add(new Tuple2<>(row._1(), Vectors.sparse(FEATURES, features.indices(), values)));
    }
    RDD<Tuple2<Object, Vector>> data = TestData.partitions(spark, rows, 2);
    return new Mllib(data, new LogisticGradient(), /* fraction= */ 0.5, ITERATIONS, FEATURES);
  }

  private static Mllib training(JavaSparkContext spark, Case setting) {
    List<Tuple2<Object, Vector>> rows = TestData.rows(3000, FEATURES, setting.isSparse, 7);
    return new Mllib(
        setting.shape.of(spark, rows),
        setting.loss.gradient.get(),
        setting.fraction,
        ITERATIONS,
        FEATURES);
  }
}
