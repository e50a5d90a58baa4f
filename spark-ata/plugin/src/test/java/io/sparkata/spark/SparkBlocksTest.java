package io.sparkata.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.LocalSpark;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class SparkBlocksTest {
  /** Blocks are put on the heap only. */
  @Test
  void liveBlockManagers_memoryOffTheHeap_isLeftOut() {
    Map<String, String> offHeap =
        Map.of("spark.memory.offHeap.enabled", "true", "spark.memory.offHeap.size", "64m");
    try (JavaSparkContext spark = LocalSpark.startPlain(offHeap)) {
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
