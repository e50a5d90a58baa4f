package io.sparkata.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.LocalSpark;
import java.util.Map;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.RDDBlockId;
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

  /** As where Spark drops an RDD's block, which its master knows no longer, just after its put. */
  @Test
  void remove_droppedWithoutAWord_isGoneAtTheMasterToo() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      BlockManager manager = SparkEnv.get().blockManager();
      RDDBlockId id = new RDDBlockId(7, 0);
      ExecutorInternals.put(id, "rows");
      manager.removeBlock(id, /* tellMaster= */ false);
      assertThat(manager.master().getLocations(id).size()).isEqualTo(1);

      assertThat(CachedBlocks.remove(id.rddId(), id.splitIndex())).isTrue();

      assertThat(manager.master().getLocations(id).size()).isZero();
    }
  }
}
