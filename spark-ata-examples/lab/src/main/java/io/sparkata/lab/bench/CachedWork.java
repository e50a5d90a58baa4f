package io.sparkata.lab.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.classification.GBTClassifier;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.classification.RandomForestClassifier;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Jobs over cached rows that no round of Spark ATA serves, but for the fits of {@code pipeline}. An
 * iteration is a job. The rows are cached within the call; or before it, {@code -even} while no
 * quota holds the executors, {@code -joined} on half of them, before the others come, {@code
 * -counted} by a count under the quotas.
 */
final class CachedWork implements Training {
  private static final int CENTERS = 20;
  private static final int DEPTH = 8;
  private static final int FEW_ITERATIONS = 3;
  private static final long BUS_MILLIS = 60_000;

  private final Setting setting;
  private final String work;
  private final String dataset;
  private final Dataset<Row> input;
  private final List<Long> ends = Collections.synchronizedList(new ArrayList<>());

  CachedWork(Setting setting, String work) {
    this.setting = setting;
    this.work = work;
    boolean isTable = work.startsWith("aggregate");
    MadeRows rows = MadeRows.dense(40_000, 50, /* classes= */ 2, setting.seed());
    this.dataset = work + ", " + (isTable ? "a table of 8,000,000 x 4" : rows.dataset());
    this.input =
        isTable
            ? SparkSession.builder()
                .getOrCreate()
                .range(0, 8_000_000, 1, setting.partitions())
                .selectExpr("id % 64 as k", "rand(1) as x", "rand(2) as y", "rand(3) as z")
            : Fit.frame(rows.on(setting.context()).apply(setting.partitions()));
  }

  @Override
  public String dataset() {
    return dataset;
  }

  @Override
  public boolean isRouted() {
    return work.startsWith("pipeline"); // its fits
  }

  @Override
  public void read() throws Exception {
    input.toJavaRDD().count();
    if (work.endsWith("-joined")) {
      SparkContext spark = setting.context().sc();
      List<String> ids = setting.executors().ids();
      List<String> late = ids.subList(ids.size() / 2, ids.size());
      spark.killExecutors(CollectionConverters.asScala(late).toSeq());
      Executors.await(setting.context(), ids.size() - late.size());
      cache();
      spark.requestTotalExecutors(ids.size(), /* localityAwareTasks= */ 0, Map$.MODULE$.empty());
      Executors.await(setting.context(), ids.size());
    } else if (work.endsWith("-even")) {
      cache();
    }
  }

  @Override
  public void cache() {
    input.cache().count();
  }

  @Override
  public void uncache() {
    input.unpersist(/* blocking= */ true);
  }

  @Override
  public void rehearse() {
    run(FEW_ITERATIONS);
  }

  @Override
  public Turn train() throws Exception {
    SparkContext spark = setting.context().sc();
    spark.addSparkListener(
        new SparkListener() {
          @Override
          public void onJobEnd(SparkListenerJobEnd job) {
            ends.add(job.time());
          }
        });
    if (work.endsWith("-counted")) {
      cache();
      spark.listenerBus().waitUntilEmpty(BUS_MILLIS);
      ends.clear();
    }
    long begin = System.currentTimeMillis();
    long start = System.nanoTime();
    if (!input.storageLevel().useMemory()) {
      input.cache();
    }
    double[] model = run(setting.iterations());
    Map<String, Double> figures = new TreeMap<>();
    figures.put(Turn.CALL, (System.nanoTime() - start) / 1e9);
    spark.listenerBus().waitUntilEmpty(BUS_MILLIS);
    Map<String, List<Double>> series = new TreeMap<>();
    series.put(Turn.ENDS, ends.stream().map(end -> (end - begin) / 1e3).toList());
    return new Turn(dataset, figures, series, model);
  }

  /** Returns numbers that do not depend on who computes, but by rounding. */
  private double[] run(int iterations) {
    long seed = setting.seed();
    switch (work.replaceFirst("-(even|joined|counted)$", "")) {
      case "kmeans" -> {
        KMeans estimator = new KMeans().setK(CENTERS).setMaxIter(iterations).setTol(0);
        KMeansModel model = estimator.setSeed(seed).fit(input);
        return Stream.of(model.clusterCenters())
            .flatMapToDouble(center -> DoubleStream.of(center.toArray()))
            .toArray();
      }
      case "random-forest" -> {
        RandomForestClassifier estimator = new RandomForestClassifier().setNumTrees(iterations);
        return estimator.setMaxDepth(DEPTH).setSeed(seed).fit(input).featureImportances().toArray();
      }
      case "boosted-trees" -> {
        GBTClassifier estimator = new GBTClassifier().setMaxIter(iterations);
        return estimator.setSeed(seed).fit(input).featureImportances().toArray();
      }
      case "pipeline" -> {
        return crossValidated(iterations);
      }
      default -> {
        List<Double> sums = new ArrayList<>();
        for (int i = 1; i <= iterations; i++) {
          input
              .groupBy("k")
              .agg(Map.of("x", "avg", "y", "stddev", "z", "max"))
              .orderBy("k")
              .collectAsList()
              .forEach(
                  row -> {
                    sums.add(row.getAs("avg(x)"));
                    sums.add(row.getAs("stddev(y)"));
                    sums.add(row.getAs("max(z)"));
                  });
        }
        return sums.stream().mapToDouble(Double::doubleValue).toArray();
      }
    }
  }

  /** Seven fits in a pipeline, two at a time: their metrics, and the best one's coefficients. */
  private double[] crossValidated(int iterations) {
    StandardScaler scaler = new StandardScaler().setInputCol("features").setOutputCol("scaled");
    LogisticRegression fit =
        new LogisticRegression().setFeaturesCol("scaled").setMaxIter(iterations).setTol(0);
    CrossValidatorModel model =
        new CrossValidator()
            .setEstimator(new Pipeline().setStages(new PipelineStage[] {scaler, fit}))
            .setEvaluator(new MulticlassClassificationEvaluator())
            .setEstimatorParamMaps(
                new ParamGridBuilder().addGrid(fit.regParam(), new double[] {0.01, 0.1}).build())
            .setParallelism(2)
            .setSeed(setting.seed())
            .fit(input);
    LogisticRegressionModel best =
        (LogisticRegressionModel) ((PipelineModel) model.bestModel()).stages()[1];
    return DoubleStream.concat(
            DoubleStream.of(model.avgMetrics()), DoubleStream.of(best.coefficients().toArray()))
        .toArray();
  }

  @Override
  public int ended() {
    return ends.size();
  }
}
