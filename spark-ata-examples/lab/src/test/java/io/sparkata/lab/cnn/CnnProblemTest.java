package io.sparkata.lab.cnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

class CnnProblemTest {
  private static final int IMAGES = 103;

  @TempDir private Path folder;

  @Test
  void training_byMllib_readsScaledImagesAndLearns() throws IOException {
    IdxFiles.write(folder, "train", 150);
    CnnProblem problem = new CnnProblem(IdxImages.read(folder, "train").first(IMAGES));
    Vector start = problem.start(/* seed= */ 1);
    try (JavaSparkContext context = LocalSpark.startPlain(Map.of())) {
      JavaRDD<Tuple2<Object, Vector>> rdd = problem.rdd(context, 4).cache();

      List<Tuple2<Object, Vector>> rows = rdd.collect();
      assertThat(rows).hasSize(IMAGES);
      assertThat(rows.get(13)._1()).isEqualTo(3.0);
      assertThat(
              rows.stream()
                  .flatMapToDouble(row -> Arrays.stream(row._2().toArray()))
                  .average()
                  .orElseThrow())
          .isCloseTo(0, within(1e-6));
      Vector trained =
          GradientDescent.runMiniBatchSGD(
                  rdd.rdd(),
                  new NetworkGradient(problem.side(), IdxImages.CLASSES),
                  new AdamUpdater(start.size()),
                  /* stepSize= */ 1e-3,
                  /* numIterations= */ 40,
                  /* regParam= */ 0,
                  /* miniBatchFraction= */ 23.0 / IMAGES,
                  start,
                  /* convergenceTol= */ 0)
              ._1();

      assertThat(problem.loss(start)).isBetween(1.0, 6.0);
      assertThat(problem.loss(trained)).isLessThan(problem.loss(start) / 4);
    }
  }
}
