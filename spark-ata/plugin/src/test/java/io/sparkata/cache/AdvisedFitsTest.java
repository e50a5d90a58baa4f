package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.FitData;
import io.sparkata.testing.LocalSpark;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.classification.DecisionTreeClassifier;
import org.apache.spark.ml.clustering.BisectingKMeans;
import org.apache.spark.ml.clustering.GaussianMixture;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.regression.GBTRegressor;
import org.apache.spark.ml.regression.RandomForestRegressor;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Estimators whose users are advised to balance the cache; of trees one of each kind. */
@Tag("spark")
@Tag("nightly")
class AdvisedFitsTest {
  /** As CacheBalancer wants. */
  private static final int READS = 3;

  private final Map<Integer, Integer> reads = new ConcurrentHashMap<>(); // by oldest RDD
  private final StageLessons lessons = new StageLessons();
  private final Map<Integer, CachedStage> running = new HashMap<>(); // of the listeners' thread

  @Test
  void fit_rowsThatAreNotCached_readsRddsOfItsOwnAgainAndAgain() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      spark
          .sc()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onStageSubmitted(SparkListenerStageSubmitted event) {
                  lessons
                      .begins(event.stageInfo())
                      .ifPresent(stage -> running.put(event.stageInfo().stageId(), stage));
                }

                @Override
                public void onStageCompleted(SparkListenerStageCompleted event) {
                  CachedStage stage = running.remove(event.stageInfo().stageId());
                  if (stage != null) {
                    lessons.add(stage, List.of());
                    reads.merge(stage.rdds().get(0), 1, Integer::sum);
                  }
                }
              });
      Dataset<Row> rows = FitData.even(spark, 5, false, FitData.SMALL_BLOCKS, 300, 3).dataset();
      List<Estimator<?>> advised =
          List.of(
              new KMeans().setMaxIter(3),
              new BisectingKMeans().setK(2).setMaxIter(3),
              new GaussianMixture().setMaxIter(3),
              new DecisionTreeClassifier(),
              new RandomForestRegressor().setNumTrees(3),
              new GBTRegressor().setMaxIter(2));
      for (Estimator<?> estimator : advised) {
        reads.clear();
        estimator.fit(rows);
        SparkListeners.awaitListeners(spark.sc(), /* millis= */ 10_000);

        assertThat(Collections.max(reads.values()))
            .as(estimator.uid())
            .isGreaterThanOrEqualTo(READS);
      }
    }
  }
}
