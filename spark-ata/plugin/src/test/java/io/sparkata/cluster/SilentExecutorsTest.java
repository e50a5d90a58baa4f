package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.LocalSpark;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockManagerMaster;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.reflect.ClassTag$;

@Tag("spark")
class SilentExecutorsTest {
  private static void put(RDDBlockId block) {
    assertThat(
            blocks()
                .putSingle(
                    block,
                    "late",
                    StorageLevel.MEMORY_ONLY(),
                    /* tellMaster= */ true,
                    ClassTag$.MODULE$.Object()))
        .isTrue();
  }

  private static BlockManager blocks() {
    return SparkEnv.get().blockManager();
  }

  /** As by two executors that fetch it from a third when the training ends. */
  @Test
  void onBlockUpdated_rddIsUnpersisted_removesTheBlock() {
    try (JavaSparkContext spark = LocalSpark.start(Map.of())) {
      JavaRDD<Integer> data = spark.parallelize(List.of(1, 2), 2).cache();
      data.count();
      RDDBlockId block = new RDDBlockId(data.id(), 0);
      data.unpersist(/* blocking= */ true);
      put(block);

      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(blocks().getStatus(block).isEmpty()).isTrue());
    }
  }

  /** It was stored while Spark removed its RDD; its report reaches the master after the removal. */
  @Test
  void onBlockUpdated_blockIsDroppedAlready_masterForgetsIt() {
    try (JavaSparkContext spark = LocalSpark.start(Map.of())) {
      JavaRDD<Integer> data = spark.parallelize(List.of(1, 2), 2).cache();
      data.count();
      RDDBlockId block = new RDDBlockId(data.id(), 0);
      data.unpersist(/* blocking= */ true);
      BlockManagerMaster master = blocks().master();
      master.updateBlockInfo(
          blocks().blockManagerId(), block, StorageLevel.MEMORY_ONLY(), /* memSize= */ 8, 0);

      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(master.getLocations(block).isEmpty()).isTrue());
    }
  }

  /** Looked at once a block that came later, and has to go, is gone. */
  @Test
  void onBlockUpdated_rddIsPersistedAgain_leavesTheBlock() {
    try (JavaSparkContext spark = LocalSpark.start(Map.of())) {
      JavaRDD<Integer> data = spark.parallelize(List.of(1, 2), 2).cache();
      JavaRDD<Integer> gone = spark.parallelize(List.of(1, 2), 2).cache();
      data.count();
      gone.count();
      gone.unpersist(/* blocking= */ true);
      data.unpersist(/* blocking= */ true);
      data.cache().count();
      RDDBlockId block = new RDDBlockId(data.id(), 0);
      RDDBlockId late = new RDDBlockId(gone.id(), 0);
      put(late);
      SparkListeners.awaitListeners(spark.sc(), /* millis= */ 10_000);

      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(blocks().getStatus(late).isEmpty()).isTrue());
      assertThat(blocks().getStatus(block).isDefined()).as("stored").isTrue();
      assertThat(blocks().master().getLocations(block).isEmpty()).as("forgotten").isFalse();
    }
  }
}
