package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockStore.Reading;
import io.sparkata.spark.ExecutorInternals;
import io.sparkata.spark.SparkBlocks;
import io.sparkata.testing.Mllib;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.util.SizeEstimator;
import org.junit.jupiter.api.Test;

class ElementBlockTest {
  private static final Object[] ELEMENTS = {new double[1000], new double[2000]};
  private static final long BYTES = SizeEstimator.estimate(ELEMENTS);

  /** Spark may drop its block at any time; then nothing accounts for the objects. */
  @Test
  void read_sharedObjects_onlyWhileSparkHasThem() {
    Mllib.withStock(
        spark -> {
          int rddId = SparkBlocks.newRddId(spark.sc());
          RDDBlockId sparks = new RDDBlockId(rddId, 0);
          BlockRef ours = new BlockRef(rddId, 1, 0, 0, ELEMENTS.length, BYTES, /* packingId= */ 7);
          ExecutorInternals.put(sparks, "Spark's");
          BlockStore.put(ours.id(), new ElementBlock(7, ELEMENTS, "any", BYTES, sparks));

          Reading reading = BlockStore.read(ours, /* keep= */ false);
          assertThat(((ElementBlock) reading.block()).element(1)).isSameAs(ELEMENTS[1]);
          reading.release();

          ExecutorInternals.drop(sparks);
          assertThat(BlockStore.read(ours, /* keep= */ false)).isNull();
          assertThat(ExecutorInternals.holdsObjects(ours.id())).as("it is dropped").isFalse();
        });
  }

  @Test
  void storageMemory_sharedObjects_isThatOfReferences() {
    ElementBlock alone = new ElementBlock(1, ELEMENTS, "any", BYTES, /* shared= */ null);
    ElementBlock shared = new ElementBlock(1, ELEMENTS, "any", BYTES, new RDDBlockId(1, 0));

    assertThat(SizeEstimator.estimate(alone)).isEqualTo(BYTES);
    assertThat(SizeEstimator.estimate(shared)).isLessThan(100);
    assertThat(shared.bytes()).as("what a fetch moves").isEqualTo(BYTES);
  }

  @Test
  void storageMemory_fetchedCopyOfSharedObjects_isTheirs() throws Exception {
    ElementBlock shared = new ElementBlock(1, ELEMENTS, "any", BYTES, new RDDBlockId(1, 0));

    ElementBlock fetched = copy(shared);

    assertThat(SizeEstimator.estimate(fetched)).isEqualTo(BYTES);
    assertThat((double[]) fetched.element(0)).hasSize(1000);
  }

  private static ElementBlock copy(ElementBlock block) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(block);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (ElementBlock) in.readObject();
    }
  }
}
