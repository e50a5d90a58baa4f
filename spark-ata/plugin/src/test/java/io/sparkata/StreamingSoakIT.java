package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.Fitted;
import io.sparkata.testing.JvmState;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.MicroBatches;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.classification.StreamingLogisticRegressionWithSGD;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A streaming model over five hundred micro-batches: stock Spark's, and no memory, thread or file
 * more on the driver. Runs by {@code scripts/test --long soak}; prints its figures.
 */
@Tag("nightly")
class StreamingSoakIT {
  private static final int BATCHES = Integer.getInteger("ata.soak.batches", 500);
  private static final int FEATURES = 10;
  private static final int PARTITIONS = 3;
  private static final double FRACTION = 0.5;
  private static final int MOST_ROWS = 600;

  /** Below 32 samples for each executor, MLlib trains. */
  private static final double FEWEST_SAMPLES = 32 * TestCluster.EXECUTORS;

  @Test
  void train_hundredsOfMicroBatches_givesStockModelAndNeedsNoMoreMemoryThreadsOrFiles() {
    Fitted stock =
        Mllib.stock(
            spark -> {
              StreamingLogisticRegressionWithSGD algorithm = algorithm();
              try (MicroBatches batches = batches(spark, algorithm)) {
                batches.train(BATCHES);
              }
              return weights(algorithm);
            });
    Map<String, String> settings = new HashMap<>(JvmState.SMALL_STORE);
    settings.put("spark.ata.route", "gradientDescent");
    settings.put("spark.ata.policy", "adaptive");
    settings.put("spark.ata.passThrough", "auto");
    settings.put("spark.ata.onError", "fallback");
    try (TestCluster cluster = TestCluster.start(settings);
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      JavaSparkContext spark = cluster.context();
      Leftovers leftovers = Leftovers.watch(spark);
      StreamingLogisticRegressionWithSGD algorithm = algorithm();
      JvmState before;
      JvmState after;
      try (MicroBatches batches = batches(spark, algorithm)) {
        batches.train(BATCHES / 5);
        leftovers.awaitNone();
        before = JvmState.ofDriver(spark);
        batches.train(BATCHES);
        leftovers.awaitNone();
        after = JvmState.ofDriver(spark);
      }

      weights(algorithm).assertSame(stock);
      System.out.println(cluster.counters());
      before.assertFlat(BATCHES + " micro-batches", after);
      long small =
          IntStream.range(0, BATCHES).filter(i -> rows(i) * FRACTION < FEWEST_SAMPLES).count();
      assertThat(small).isBetween(1L, BATCHES - 1L);
      assertThat(cluster.counters().routed).hasValue(BATCHES);
      assertThat(cluster.counters().passedThrough).hasValue(small);
      assertThat(cluster.counters().rounds).hasValueGreaterThanOrEqualTo(BATCHES - small);
      assertThat(cluster.counters().fallbacks).hasValue(0);
      assertThat(log.messages(Level.WARN)).allMatch(line -> line.contains("is silent for"));
    }
  }

  private static StreamingLogisticRegressionWithSGD algorithm() {
    return new StreamingLogisticRegressionWithSGD()
        .setStepSize(0.5)
        .setNumIterations(3)
        .setRegParam(0.01)
        .setMiniBatchFraction(FRACTION)
        .setInitialWeights(Vectors.zeros(FEATURES));
  }

  private static MicroBatches batches(
      JavaSparkContext spark, StreamingLogisticRegressionWithSGD algorithm) {
    return MicroBatches.of(spark, algorithm, batch -> batch(spark, batch));
  }

  private static JavaRDD<LabeledPoint> batch(JavaSparkContext spark, int number) {
    return TestData.partitions(
            spark, TestData.rows(rows(number), FEATURES, /* sparse= */ false, number), PARTITIONS)
        .toJavaRDD()
        .map(row -> new LabeledPoint((Double) row._1(), row._2()));
  }

  private static int rows(int batch) {
    Random random = new Random(batch);
    random.nextInt(); // the first values of neighbours are alike
    return 1 + random.nextInt(MOST_ROWS);
  }

  private static Fitted weights(StreamingLogisticRegressionWithSGD algorithm) {
    double[] weights = algorithm.latestModel().weights().toArray();
    return Fitted.of(weights, new double[0], new double[0]);
  }
}
