package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.Faults;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** The mode observe when what watches MLlib's tasks breaks. */
class ObserveTroubleIT {
  @Test
  void train_theListenerFails_isMllibsWithOneWarning() {
    Map<String, String> observing =
        Map.of(
            "spark.ata.mode", "observe",
            "spark.ata.report", "warn",
            "spark.ata.route", "gradientDescent");
    Tuple2<Vector, double[]> stock = Mllib.stock(spark -> training(spark).trainByMllib());
    try (Faults faults =
            Faults.at(
                "io.sparkata.observation.ObservedSums",
                "onTaskEnd",
                1,
                arguments -> Faults.Kind.LINKAGE.strike());
        CapturedLog log = CapturedLog.of("io.sparkata");
        TestCluster cluster = TestCluster.start(observing)) {
      assertThat(faults).isNotNull();
      Mllib.assertSame(training(cluster.context()).trainByMllib(), stock);

      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: cannot observe (java.lang.NoClassDefFoundError: broken on purpose); MLlib"
                  + " trains on, nothing is reported from here. Set spark.ata.mode=train or"
                  + " spark.ata.enabled=false");
      assertThat(log.messages(Level.INFO))
          .anyMatch(line -> line.endsWith("found no round of MLlib"));
    }
  }

  private static Mllib training(JavaSparkContext spark) {
    return Mllib.logistic(
        spark, 3000, /* features= */ 10, /* partitions= */ 3, /* iterations= */ 6);
  }
}
