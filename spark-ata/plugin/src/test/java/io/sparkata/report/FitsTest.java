package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.LogisticRegression;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The names of fits, which {@code CrossValidator} runs on several threads and folds. */
@Tag("spark")
class FitsTest {
  private static final String SITE = "LogisticRegression.train at App.java:31";

  private final JavaSparkContext spark =
      new JavaSparkContext(
          new SparkConf()
              .setMaster("local[1]")
              .setAppName("fits")
              .set("spark.ui.enabled", "false"));

  private LogisticRegression entered;

  @AfterEach
  void stop() {
    spark.close();
  }

  @Test
  void current_foldsWithTheSameParameters_areToldApartByTheirCachedInput() {
    enter(new LogisticRegression("logreg_1").setMaxIter(20).setRegParam(0.1).setLabelCol("late"));
    JavaRDD<Integer> fold = spark.parallelize(List.of(1, 2)).cache();
    JavaRDD<Integer> other = spark.parallelize(List.of(3, 4)).cache();

    assertThat(name(fold.map(x -> x).map(x -> x)))
        .isEqualTo("logreg_1 on RDD " + fold.id() + ", maxIter=20 regParam=0.1");
    assertThat(name(other.map(x -> x)))
        .isEqualTo("logreg_1 on RDD " + other.id() + ", maxIter=20 regParam=0.1");
  }

  @Test
  void current_nothingSetAndNoCachedInput_isTheUid() {
    enter(new LogisticRegression("logreg_2"));

    assertThat(name(spark.parallelize(List.of(1)))).isEqualTo("logreg_2");
  }

  @Test
  void current_longValue_isCut() {
    enter(
        new LogisticRegression("logreg_3").setThresholds(new double[] {0.123456789, 0.987654321}));

    assertThat(name(spark.parallelize(List.of(1))))
        .isEqualTo("logreg_3, thresholds=[0.123456789,0.98765");
  }

  @Test
  void current_trainingOfAnotherClassOnTheSameThread_isNotThatFit() {
    enter(new LogisticRegression("logreg_4"));

    assertThat(Fits.current(spark.parallelize(List.of(1)).rdd(), "SVMWithSGD.run at App.java:9"))
        .isEmpty();
  }

  private void enter(LogisticRegression estimator) {
    entered = estimator; // which Fits holds weakly
    assertThat(Fits.enter(entered, new Object[0])).isNull();
  }

  private static String name(JavaRDD<Integer> data) {
    return Fits.current(data.rdd(), SITE).orElseThrow();
  }
}
