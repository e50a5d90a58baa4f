package io.sparkata.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class SparkBlocksTest {
  private final SparkConf conf =
      new SparkConf()
          .setMaster("local[1]")
          .setAppName("spark-blocks-test")
          .set("spark.ui.enabled", "false");

  /** Blocks are put on the heap only. */
  @Test
  void liveBlockManagers_memoryOffTheHeap_isLeftOut() {
    conf.set("spark.memory.offHeap.enabled", "true").set("spark.memory.offHeap.size", "64m");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      assertThat(SparkBlocks.liveBlockManagers(spark.sc()))
          .singleElement()
          .satisfies(
              manager -> {
                assertThat(manager.freeBytes()).isEqualTo(ExecutorInternals.freeStorageBytes());
                assertThat(manager.maxBytes()).isEqualTo(manager.freeBytes());
              });
    }
  }
}
