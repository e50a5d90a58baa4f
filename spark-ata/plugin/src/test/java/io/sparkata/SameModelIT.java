package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Counters;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.Fitted;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Pairwise;
import io.sparkata.testing.TestCluster;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The invariant for sums of Spark's optimizers: the stock model and objectives under wild
 * allocations, on three executor JVMs. Runs cases in which every fit, term, shape and storage
 * occurs; {@code -Data.cases=all} runs the full product.
 *
 * <p>Stock's own multinomial sums are wrong if one aggregator adds several blocks (SPARK-59562), so
 * stock has one block per partition there.
 */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SameModelIT {
  private static final Logger LOG = LoggerFactory.getLogger(SameModelIT.class);

  /** Few: once a fit has converged, rounding decides in which iteration it stops. */
  private static final int ITERATIONS = 8;

  private static final int FEATURES = 12;
  private static final int ROWS = 1200;

  private final Map<Case, Fitted> stock = new HashMap<>();
  private final Map<Fit, Double> largest = new EnumMap<>(Fit.class);
  private Fitted stockOfOneBlock;
  private Fitted stockOfManyBlocks;
  private TestCluster cluster;

  @SuppressWarnings("ImmutableEnumChecker")
  enum Shape {
    MORE_PARTITIONS_THAN_EXECUTORS(171, 171, 171, 171, 172, 172, 172),
    FEWER_PARTITIONS_THAN_EXECUTORS(600, 600),
    VERY_UNEQUAL_PARTITIONS(1, 0, ROWS - 41, 37, 3);

    private final int[] sizes;

    Shape(int... sizes) {
      this.sizes = sizes;
    }
  }

  record Case(Fit fit, boolean isSparse, Fit.Terms terms, Shape shape) {
    List<Object> settings() {
      return List.of(fit, terms, isSparse, shape);
    }

    Fitted trainByStock(JavaSparkContext spark) {
      FitData data =
          fit == Fit.MULTINOMIAL
              ? oneBlockPerPartition(spark, isSparse)
              : FitData.of(spark, FEATURES, isSparse, FitData.SMALL_BLOCKS, shape.sizes);
      return fit.train(data, terms, ITERATIONS);
    }

    Fitted trainBySparkAta(JavaSparkContext spark) {
      FitData data = FitData.of(spark, FEATURES, isSparse, FitData.SMALL_BLOCKS, shape.sizes);
      return fit.train(data, terms, ITERATIONS);
    }
  }

  private static FitData oneBlockPerPartition(JavaSparkContext spark, boolean isSparse) {
    return FitData.even(spark, FEATURES, isSparse, FitData.ONE_BLOCK, ROWS, /* partitions= */ 8);
  }

  static List<Case> allCases() {
    List<Case> cases = new ArrayList<>();
    for (Fit fit : Fit.values()) {
      for (boolean isSparse : new boolean[] {false, true}) {
        for (Fit.Terms terms : fit.terms()) {
          for (Shape shape : Shape.values()) {
            cases.add(new Case(fit, isSparse, terms, shape));
          }
        }
      }
    }
    return cases;
  }

  static Stream<Case> cases() {
    return Pairwise.each(allCases(), Case::settings).stream();
  }

  @BeforeAll
  void start() {
    Mllib.withStock(
        spark -> {
          cases().forEach(c -> stock.put(c, c.trainByStock(spark)));
          stockOfOneBlock = balanced(spark, FitData.ONE_BLOCK);
          stockOfManyBlocks = balanced(spark, FitData.SMALL_BLOCKS);
        });
    cluster = TestCluster.start(Map.of("spark.ata.route", "lbfgs", "spark.ata.blockSize", "4k"));
  }

  @AfterAll
  void stop() {
    cluster.close();
    largest.forEach((fit, difference) -> LOG.info("{}: at most {} from stock", fit, difference));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void fit_scattered_givesStockModel(Case setting) {
    Counters counters = cluster.evaluations();
    long calls = counters.calls.get();
    long routed = counters.routed.get();
    long rounds = counters.rounds.get();

    Fitted ours = setting.trainBySparkAta(cluster.context());

    assertThat(counters.calls.get() - calls).as("fits").isEqualTo(1);
    assertThat(counters.rounds.get() - rounds)
        .as("evaluations answered by us")
        .isGreaterThan(ITERATIONS / 2)
        .isGreaterThanOrEqualTo(ours.history().size())
        .isEqualTo(counters.routed.get() - routed);
    assertThat(counters.passedThrough).hasValue(0);
    assertThat(counters.fallbacks).hasValue(0);
    ours.assertSame(stock.get(setting));
    largest.merge(setting.fit, ours.difference(stock.get(setting)), Math::max);
  }

  /** By chance a fit cuts none: whether a move arrives before its end is a matter of time. */
  @Test
  void fits_scattered_cutBlocksAndFetchedThem() {
    Counters counters = cluster.evaluations();

    for (int fit = 0;
        fit < 5 && (counters.cuts.get() == 0 || counters.fetchedBlocks.get() == 0);
        fit++) {
      balanced(cluster.context(), FitData.SMALL_BLOCKS);
    }

    assertThat(counters.cuts).hasPositiveValue();
    assertThat(counters.fetchedBlocks).hasPositiveValue();
  }

  /**
   * Three classes of equal size and zero coefficients: every class has the probability 1/3. An
   * aggregator that adds several blocks without our remedy starts elsewhere, as stock does.
   */
  @Test
  void fit_severalBlocksPerAggregator_startsAtTheLogarithmOfTheClasses() {
    double right = Math.log(FitData.CLASSES);
    Offset<Double> rounding = Offset.offset(1e-12);

    Fitted ours = balanced(cluster.context(), FitData.SMALL_BLOCKS);

    assertThat(stockOfManyBlocks.firstObjective()).isNotCloseTo(right, Offset.offset(0.1));
    assertThat(stockOfOneBlock.firstObjective()).isCloseTo(right, rounding);
    assertThat(ours.firstObjective()).isCloseTo(right, rounding);
    ours.assertSame(stockOfOneBlock);
  }

  private static Fitted balanced(JavaSparkContext spark, double blockMegabytes) {
    FitData data =
        FitData.even(
            spark, FEATURES, /* sparse= */ false, blockMegabytes, ROWS, /* partitions= */ 4);
    return Fit.MULTINOMIAL.train(data, Fit.Terms.PLAIN, ITERATIONS);
  }
}
