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
class CachedBlocksTest {
  /** A copy that arrives while Spark removes its RDD; the master hears of it after the removal. */
  @Test
  void remove_sparkHasDroppedTheCopyWithoutAWord_masterForgetsIt() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      RDDBlockId id = new RDDBlockId(SparkBlocks.newRddId(spark.sc()), 3);
      BlockManager manager = SparkEnv.get().blockManager();
      assertThat(ExecutorInternals.put(id, "elements")).isTrue();
      manager.removeBlock(id, /* tellMaster= */ false);
      assertThat(manager.master().getLocations(id).size()).isOne();

      assertThat(CachedBlocks.remove(id.rddId(), id.splitIndex())).isTrue();
      assertThat(manager.master().getLocations(id).isEmpty()).isTrue();
    }
  }
}
