package io.sparkata;

import static org.apache.spark.ml.functions.array_to_vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.events.TrainingLeft;
import io.sparkata.routing.UnservedFits;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.FitData;
import io.sparkata.testing.LocalSpark;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.classification.DecisionTreeClassifier;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.NaiveBayes;
import org.apache.spark.ml.classification.OneVsRest;
import org.apache.spark.ml.clustering.BisectingKMeans;
import org.apache.spark.ml.clustering.GaussianMixture;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.clustering.LDA;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.ml.fpm.FPGrowth;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.recommendation.ALS;
import org.apache.spark.ml.regression.IsotonicRegression;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.TrainValidationSplit;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.Metadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fits of estimators that Spark ATA does not serve. */
class UnservedFitsTest {
  private static final String NORMAL =
      "Spark ATA leaves fits of LinearRegression to Spark (LinearRegression.fit at"
          + " UnservedFitsTest.java:<line>): with solver=auto and up to 4,096 features it solves"
          + " the normal equations in one pass over the rows. Set solver=l-bfgs";

  private static final String BALANCE =
      "Its stages over cached data can be balanced: set spark.ata.cache=balance";

  private final List<TrainingLeft> left = new CopyOnWriteArrayList<>();
  private JavaSparkContext spark;
  private Dataset<Row> rows;
  private Dataset<Row> described; // with the number of features

  @BeforeEach
  void start() {
    start(Map.of("spark.ata.route", "lbfgs", "spark.ata.cache", "observe"));
  }

  private void start(Map<String, String> settings) {
    spark = LocalSpark.start(settings);
    SparkListeners.addListener(
        spark.sc(),
        new SparkListener() {
          @Override
          public void onOtherEvent(SparkListenerEvent event) {
            if (event instanceof TrainingLeft one) {
              left.add(one);
            }
          }
        },
        "test");
    rows = FitData.even(spark, 5, false, FitData.SMALL_BLOCKS, 300, 3).dataset();
    Metadata five = new AttributeGroup("features", 5).toMetadata();
    described = rows.withColumn("features", rows.col("features").as("features", five));
  }

  @AfterEach
  void stop() {
    spark.close();
  }

  private List<String> reasons() {
    SparkListeners.awaitListeners(spark.sc(), /* millis= */ 10_000);
    return left.stream().map(TrainingLeft::reason).toList();
  }

  private static LinearRegression linear(String solver) {
    return new LinearRegression().setSolver(solver).setMaxIter(2).setRegParam(0.1);
  }

  /** Of few jobs. */
  private static KMeans kMeans() {
    return new KMeans().setInitMode("random").setMaxIter(1);
  }

  /** An operator who looks for the second one finds it in the tab. */
  @Test
  void fit_ofAClassAtTwoPlaces_isLoggedOnceAndAnEventOfEach() {
    try (CapturedLog log = CapturedLog.of("io.sparkata.routing")) {
      for (int i = 0; i < 2; i++) {
        kMeans().fit(rows);
        kMeans().fit(described);
      }

      assertThat(reasons()).containsExactly("OTHER_METHOD", "OTHER_METHOD");
      assertThat(log.messages(Level.INFO)).hasSize(1);
    }
    assertThat(names()).containsExactly("KMeans.fit", "KMeans.fit");
    assertThat(left.get(0).name()).isNotEqualTo(left.get(1).name());
  }

  @Test
  void fit_anotherMethod_isSaidOncePerClass() {
    try (CapturedLog log = CapturedLog.of("io.sparkata.routing")) {
      for (int i = 0; i < 2; i++) {
        linear("auto").fit(described);
        new NaiveBayes().setModelType("gaussian").fit(rows);
      }

      assertThat(reasons()).containsExactly("OTHER_METHOD", "OTHER_METHOD");
      assertThat(log.messages(Level.INFO))
          .map(line -> line.replaceFirst(":\\d+\\)", ":<line>)"))
          .containsExactly(
              NORMAL,
              "Spark ATA leaves fits of NaiveBayes to Spark (NaiveBayes.fit at"
                  + " UnservedFitsTest.java:<line>): it trains by neither gradient descent nor"
                  + " L-BFGS. Served are AFTSurvivalRegression, FMClassifier, FMRegressor,"
                  + " LinearSVC, LogisticRegression, MultilayerPerceptronClassifier,"
                  + " and LinearRegression with solver=l-bfgs");
    }
    assertThat(left.get(0).name()).startsWith("LinearRegression.fit at UnservedFitsTest.java:");
    assertThat(left.get(0).advice()).isEqualTo("Set solver=l-bfgs");
  }

  private List<String> names() {
    return left.stream().map(one -> one.name().replaceFirst(" at .*", "")).toList();
  }

  @Test
  @Tag("spark")
  void fit_noPredictor_isSaid() {
    kMeans().fit(rows);
    new ALS().setMaxIter(1).setNumBlocks(1).fit(ratings());

    assertThat(reasons()).containsExactly("OTHER_METHOD", "OTHER_METHOD");
    assertThat(names()).containsExactly("KMeans.fit", "ALS.fit");
    assertThat(left.get(0).text()).isEqualTo("it trains by neither gradient descent nor L-BFGS");
    assertThat(left.get(0).advice()).isEqualTo(BALANCE);
    assertThat(left.get(1).advice()).startsWith("Served are AFTSurvivalRegression, ");
  }

  @Test
  @Tag("spark")
  @Tag("nightly") // each passes the stage that the test before weaves
  void fit_anotherThatIsNoPredictor_isSaid() {
    new BisectingKMeans().setK(2).setMaxIter(1).fit(rows);
    new GaussianMixture().setMaxIter(1).fit(rows);
    new LDA().setMaxIter(1).fit(words());
    new FPGrowth().setItemsCol("items").fit(ratings());
    new IsotonicRegression().fit(rows);

    assertThat(reasons()).hasSize(5).containsOnly("OTHER_METHOD");
    assertThat(names())
        .containsExactly(
            "BisectingKMeans.fit",
            "GaussianMixture.fit",
            "LDA.fit",
            "FPGrowth.fit",
            "IsotonicRegression.fit");
  }

  private Dataset<Row> words() {
    return ratings().select(array_to_vector(new Column("counts")).as("features"));
  }

  private Dataset<Row> ratings() {
    return rows.sparkSession()
        .range(60)
        .selectExpr(
            "cast(id % 9 as int) user",
            "cast(id % 7 as int) item",
            "cast(id % 5 as float) rating",
            "array(id % 7) items",
            "array(id % 3 + 1.0d, id % 2 + 1.0d) counts");
  }

  @Test
  @Tag("spark")
  void fit_forestThatIsAPredictor_isSaidOnce() {
    new DecisionTreeClassifier().setMaxDepth(2).fit(rows);

    assertThat(reasons()).containsExactly("OTHER_METHOD");
    assertThat(left.get(0).advice()).isEqualTo(BALANCE);
  }

  @Test
  void fit_thatOnlyFitsOthers_isNotSaid() {
    Pipeline pipeline =
        new Pipeline()
            .setStages(
                new PipelineStage[] {
                  new StandardScaler().setInputCol("features").setOutputCol("scaled"),
                  new LogisticRegression().setMaxIter(2)
                });
    ParamMap[] grid = {ParamMap.empty()};
    MulticlassClassificationEvaluator evaluator = new MulticlassClassificationEvaluator();
    new OneVsRest().setClassifier(new LogisticRegression().setMaxIter(2)).fit(rows);
    new CrossValidator()
        .setNumFolds(2)
        .setEstimator(pipeline)
        .setEvaluator(evaluator)
        .setEstimatorParamMaps(grid)
        .fit(rows);
    new TrainValidationSplit()
        .setEstimator(pipeline)
        .setEvaluator(evaluator)
        .setEstimatorParamMaps(grid)
        .fit(rows);

    assertThat(reasons()).doesNotContain("OTHER_METHOD");
  }

  @Test
  void fit_cacheIsBalanced_isSaidToBeCovered() {
    spark.close();
    start(Map.of("spark.ata.route", "lbfgs"));
    kMeans().fit(rows);

    assertThat(reasons()).containsExactly("OTHER_METHOD");
    assertThat(left.get(0).advice())
        .isEqualTo("Its stages over cached data are balanced, since spark.ata.cache=balance");
  }

  @Test
  void fit_gradientDescentOnly_isNotSaid() {
    spark.close();
    start(Map.of("spark.ata.route", "gradientDescent"));
    kMeans().fit(rows);

    assertThat(reasons()).isEmpty();
  }

  @Test
  void fit_anotherContextWithoutThePlugin_isNotSaid() {
    spark.close();
    try (CapturedLog log = CapturedLog.of("io.sparkata.routing")) {
      spark = LocalSpark.startPlain(Map.of());
      rows = FitData.even(spark, 5, false, FitData.SMALL_BLOCKS, 300, 3).dataset();
      kMeans().fit(rows);

      assertThat(log.messages(Level.INFO)).isEmpty();
    }
  }

  /** The route of a method that a vendor has changed may bring anything. */
  @Test
  void enterStage_withoutAStage_leavesTheFitAlone() {
    assertThat(UnservedFits.enterStage(this, new Object[0])).isNull();
    assertThat(UnservedFits.enterStage(this, new Object[1])).isNull();

    assertThat(reasons()).isEmpty();
  }

  /** As in most frames that are made from an RDD. */
  @Test
  void fit_featuresAreNotCounted_isSaid() {
    linear("auto").fit(rows);

    assertThat(reasons()).containsExactly("OTHER_METHOD");
  }

  @Test
  void fit_byLbfgs_isNone() {
    linear("l-bfgs").fit(rows);
    linear("auto").setLoss("huber").setElasticNetParam(0).fit(rows);
    Metadata many = new AttributeGroup("features", 5000).toMetadata();
    Dataset<Row> wide = FitData.even(spark, 5000, true, FitData.SMALL_BLOCKS, 60, 3).dataset();
    linear("auto").fit(wide.withColumn("features", wide.col("features").as("features", many)));

    assertThat(reasons()).doesNotContain("OTHER_METHOD");
  }

  @Test
  void fit_switchedOff_isNotSaid() {
    spark.setLocalProperty("spark.ata.enabled", "false");
    linear("normal").fit(rows);
    kMeans().fit(rows);

    assertThat(reasons()).isEmpty();
  }
}
