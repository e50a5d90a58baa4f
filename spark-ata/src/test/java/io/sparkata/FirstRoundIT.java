package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.util.Map;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

@Tag("smoke")
class FirstRoundIT {
  @Test
  void train_scattered_givesMllibsWeights() {
    try (TestCluster cluster =
        TestCluster.start(
            Map.of("spark.ata.roundLog.path", "target/roundlog", "spark.ata.blockSize", "16k"))) {
      RDD<Tuple2<Object, Vector>> data =
          TestData.partitions(cluster.context(), TestData.rows(6000, 20, false, 1), 4);
      Vector start = Vectors.zeros(20);
      for (String policy : new String[] {null, "uniform", "adaptive", "ata"}) {
        Tuple2<Vector, double[]> ours =
            new AtaGradientDescent(new LogisticGradient(), new SquaredL2Updater())
                .setMiniBatchFraction(0.3)
                .setNumIterations(30)
                .setConvergenceTol(0)
                .setPolicy(policy)
                .optimizeWithLossReturned(data, start);
        Tuple2<Vector, double[]> mllib =
            GradientDescent.runMiniBatchSGD(
                data,
                new LogisticGradient(),
                new SquaredL2Updater(),
                1.0,
                30,
                0.0,
                0.3,
                start,
                0.0);
        System.out.println(
            policy
                + " "
                + cluster.counters()
                + " "
                + cluster.counters().cuts
                + " "
                + cluster.counters().fetchedBlocks
                + " "
                + cluster.counters().keptReplicas
                + " obs "
                + cluster.counters().observations);
        assertThat(Math.sqrt(Vectors.sqdist(ours._1(), mllib._1()))).isLessThan(1e-9);
        assertThat(ours._2()).hasSize(31);
      }
    }
  }
}
