package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.Faults;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.Fitted;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.classification.OneVsRest;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fits at the same time in one application: the stock models. */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConcurrentFitsIT {
  private static final int FEATURES = 12;
  private static final int ROWS = 1500;
  private static final int ITERATIONS = 10;
  private static final int AT_ONCE = 2;

  private final Map<Caller, List<Fitted>> stock = new HashMap<>();
  private TestCluster cluster;

  enum Caller {
    CROSS_VALIDATOR(2 * 2 + 1) {
      @Override
      List<Fitted> train(FitData data) {
        LogisticRegression logistic =
            Fit.logistic(data, Fit.Terms.PLAIN, ITERATIONS, /* classes= */ 2);
        ParamMap[] candidates =
            new ParamGridBuilder().addGrid(logistic.regParam(), new double[] {0.001, 0.3}).build();
        CrossValidatorModel fitted =
            new CrossValidator()
                .setEstimator(logistic)
                // Bins depend on ids of RDDs, of which our rounds take some.
                .setEvaluator(new BinaryClassificationEvaluator().setNumBins(0))
                .setEstimatorParamMaps(candidates)
                .setNumFolds(2)
                .setParallelism(AT_ONCE)
                .setSeed(14)
                .fit(data.dataset());
        Fitted best = Fit.of((LogisticRegressionModel) fitted.bestModel());
        return List.of(new Fitted(best.parameters(), Vectors.dense(fitted.avgMetrics())), best);
      }
    },
    ONE_VS_REST(FitData.CLASSES) {
      @Override
      List<Fitted> train(FitData data) {
        List<Fitted> fitted = new ArrayList<>();
        for (Object model :
            new OneVsRest()
                .setLabelCol("class")
                .setClassifier(Fit.logistic(data, Fit.Terms.PLAIN, ITERATIONS, /* classes= */ 2))
                .setParallelism(AT_ONCE)
                .fit(data.dataset())
                .models()) {
          LogisticRegressionModel one = (LogisticRegressionModel) model;
          fitted.add(Fit.of(one));
        }
        return fitted;
      }
    };

    private final int fits;

    Caller(int fits) {
      this.fits = fits;
    }

    abstract List<Fitted> train(FitData data);
  }

  private static FitData data(JavaSparkContext spark) {
    return FitData.even(
        spark, FEATURES, /* sparse= */ false, FitData.SMALL_BLOCKS, ROWS, /* partitions= */ 4);
  }

  @BeforeAll
  void start() {
    Mllib.withStock(
        spark -> List.of(Caller.values()).forEach(c -> stock.put(c, c.train(data(spark)))));
    cluster = TestCluster.start(Map.of("spark.ata.route", "lbfgs", "spark.ata.blockSize", "4k"));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource
  void fit_twoAtOnce_givesStockModels(Caller caller) {
    Leftovers leftovers = Leftovers.watch(cluster.context());
    long calls = cluster.evaluations().calls.get();
    long routed = cluster.evaluations().routed.get();
    long rounds = cluster.evaluations().rounds.get();
    AtomicInteger atOnce = new AtomicInteger();
    List<Fitted> ours;
    try (Faults evaluation =
        Faults.at(
            "org.apache.spark.ml.optim.loss.RDDLossFunction",
            "calculate",
            1,
            arguments -> atOnce.accumulateAndGet(cluster.runtime().openCalls(), Math::max))) {
      assertThat(evaluation).isNotNull();
      ours = caller.train(data(cluster.context()));
    }

    assertThat(atOnce).as("fits at the same time").hasValueGreaterThanOrEqualTo(AT_ONCE);
    assertThat(cluster.evaluations().calls.get() - calls).isEqualTo(caller.fits);
    assertThat(cluster.evaluations().rounds.get() - rounds)
        .isGreaterThanOrEqualTo((long) caller.fits * ITERATIONS)
        .isEqualTo(cluster.evaluations().routed.get() - routed);
    assertThat(cluster.evaluations().fallbacks).hasValue(0);
    assertThat(ours).hasSameSizeAs(stock.get(caller));
    for (int i = 0; i < ours.size(); i++) {
      ours.get(i).assertSame(stock.get(caller).get(i));
    }
    leftovers.awaitNone();
  }
}
