package io.sparkata.testing;

import io.sparkata.spark.Scala;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.RDDBlockId;
import scala.Option;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * What the block managers of the driver and of the executors say they hold, in memory and as files
 * in spark.local.dir. Spark's master may not know of it.
 */
record HeldBlocks(SparkContext spark) {

  /** The blocks of RDDs that are not persisted. */
  List<String> unpersisted() {
    Set<Integer> persisted = JavaSparkContext.fromSparkContext(spark).getPersistentRDDs().keySet();
    return everywhere().stream()
        .filter(block -> block instanceof RDDBlockId id && !persisted.contains(id.rddId()))
        .map(BlockId::name)
        .toList();
  }

  /** The broadcasts of values of ours, and those that only executors still hold. */
  List<String> broadcasts() {
    List<BlockId> everywhere = everywhere();
    Set<Long> ofDriver = new HashSet<>();
    List<String> left = new ArrayList<>();
    BlockManager driver = spark.env().blockManager();
    for (BlockId block : Scala.each(driver.getMatchingBlockIds(new Each()))) {
      if (block instanceof BroadcastBlockId id) {
        ofDriver.add(id.broadcastId());
        String type = id.field().isEmpty() ? typeOf(driver, id) : "";
        if (type.startsWith("io.sparkata.")) {
          left.add(id.name() + ": " + type);
        }
      }
    }
    for (BlockId block : everywhere) {
      if (block instanceof BroadcastBlockId id && !ofDriver.contains(id.broadcastId())) {
        left.add(id.name() + " of executors only");
      }
    }
    return left;
  }

  /** Asks each block manager; a block that several hold is there several times. */
  private List<BlockId> everywhere() {
    return Scala.<BlockId>stream(
            spark
                .env()
                .blockManager()
                .master()
                .getMatchingBlockIds(new Each(), /* askStorageEndpoints= */ true))
        .toList();
  }

  private static String typeOf(BlockManager driver, BlockId block) {
    Option<BlockResult> held = driver.getLocalValues(block);
    if (held.isEmpty()) {
      return ""; // removed meanwhile
    }
    String type = "";
    Iterator<Object> values = held.get().data();
    while (values.hasNext()) { // its end releases the block
      type = values.next().getClass().getName();
    }
    return type;
  }

  /** Any block. */
  private static final class Each extends AbstractFunction1<BlockId, Object>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Object apply(BlockId block) {
      return true;
    }
  }
}
