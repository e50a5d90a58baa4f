package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.LocalSpark;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trainings of a thread or a session that has switched Spark ATA off, where others have not. */
class SwitchedOffTest {
  private static final String KEY = "spark.ata.enabled";

  private JavaSparkContext spark;

  @BeforeEach
  void start() {
    spark = LocalSpark.start(Map.of("spark.ata.route", "gradientDescent,lbfgs"));
  }

  @AfterEach
  void stop() {
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    spark.close();
  }

  private long trained() {
    AtaRuntime runtime = AtaRuntime.of(spark.sc()).orElseThrow();
    return runtime.counters().calls.get() + runtime.evaluations().calls.get();
  }

  private void trainAll() {
    LocalSpark.training(spark, /* features= */ 5, /* iterations= */ 3).trainByMllib();
    LocalSpark.training(spark, /* features= */ 5, /* iterations= */ 3).trainBySparkAta(null);
    Fit.LOGISTIC.train(
        FitData.even(spark, 5, false, FitData.SMALL_BLOCKS, 300, 3), Fit.Terms.PLAIN, 3);
  }

  @Test
  void train_localProperty_holdsForItsThread() throws InterruptedException {
    spark.setLocalProperty(KEY, "false");
    trainAll();
    assertThat(trained()).isZero();

    Thread other =
        new Thread(
            () -> {
              spark.setLocalProperty(KEY, null); // inherited
              trainAll();
            });
    other.start();
    other.join();
    assertThat(trained()).isEqualTo(3);
    trainAll();
    assertThat(trained()).isEqualTo(3);
  }

  @Test
  @Tag("spark")
  void train_settingOfASession_holdsForItsTrainings() {
    SparkSession on = SparkSession.builder().getOrCreate();
    SparkSession off = on.newSession();
    off.conf().set(KEY, "false");

    SparkSession.setActiveSession(off);
    trainAll();
    assertThat(trained()).isZero();
    SparkSession.setActiveSession(on);
    trainAll();
    assertThat(trained()).isEqualTo(3);
  }

  /** Stock MLlib does not ask the session; one that lacks Hive's classes cannot be asked. */
  @Test
  @Tag("spark")
  void train_brokenSession_isAsIfNothingWereSet() {
    SQLConf.setSQLConfGetter(
        () -> {
          throw new NoClassDefFoundError("HiveSessionStateBuilder");
        });
    try {
      LocalSpark.training(spark, /* features= */ 5, /* iterations= */ 3).trainBySparkAta(null);
      assertThatThrownBy(SQLConf::get).hasMessageContaining("HiveSessionStateBuilder");
    } finally {
      SQLConf.setSQLConfGetter(SQLConf::getFallbackConf);
    }
    assertThat(trained()).isEqualTo(1);
  }
}
