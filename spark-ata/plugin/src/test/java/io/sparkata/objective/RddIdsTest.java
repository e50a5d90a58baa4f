package io.sparkata.objective;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.SparkBlocks;
import io.sparkata.testing.Mllib;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.Test;

class RddIdsTest {
  @Test
  void ofTree_anyPartitionsAndDepth_areSparksOwn() {
    Mllib.withStock(
        spark -> {
          for (int partitions : new int[] {1, 2, 4, 5, 7, 16, 40, 101}) {
            for (int depth : new int[] {1, 2, 3}) {
              for (boolean endsOnExecutor : new boolean[] {false, true}) {
                JavaRDD<Integer> data =
                    spark.parallelize(IntStream.range(0, 200).boxed().toList(), partitions);
                int before = SparkBlocks.newRddId(spark.sc());
                data.treeAggregate(0, Integer::sum, Integer::sum, depth, endsOnExecutor);
                int used = SparkBlocks.newRddId(spark.sc()) - before - 1;

                assertThat(RddIds.ofTree(partitions, depth, endsOnExecutor))
                    .as("%d partitions, depth %d, %s", partitions, depth, endsOnExecutor)
                    .isEqualTo(used);
              }
            }
          }
        });
  }

  @Test
  void used_fewerThanSpark_takesTheRest() {
    Mllib.withStock(
        spark -> {
          RddIds ids = new RddIds();
          int before = SparkBlocks.newRddId(spark.sc());
          ids.used(spark.sc(), /* used= */ 3, /* bySpark= */ 1); // two ahead
          ids.used(spark.sc(), /* used= */ 1, /* bySpark= */ 7);

          assertThat(SparkBlocks.newRddId(spark.sc()) - before - 1).isEqualTo(4);
        });
  }
}
