package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.SparkBlocks;
import io.sparkata.testing.LocalSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;

/** What an attempt does whose blocks find no room. */
class PackingAttemptTest {
  private static final int TOO_MANY = 4_000_000; // 64 MB

  private record Refused(int attempt, long bytes, int blocks) implements java.io.Serializable {}

  /** The first attempt may still run, where there is room. Spark counts no failure here. */
  @Test
  void store_noRoom_onlyTheSecondAttemptDoesNotReport() {
    assertThat(pack(/* firstThatPacks= */ 0).attempt()).isZero();
    Refused third = pack(/* firstThatPacks= */ 1);
    assertThat(third.attempt()).isEqualTo(2);
    assertThat(third.bytes()).isGreaterThanOrEqualTo(16L * TOO_MANY);
    assertThat(third.blocks()).isZero();
  }

  /** Earlier attempts fail. Of two failures Spark would end the job. */
  private static Refused pack(int firstThatPacks) {
    try (JavaSparkContext spark =
        LocalSpark.startPlain(
            Map.of(
                "spark.master", "local[1,2]",
                "spark.testing.memory", String.valueOf(40 << 20),
                "spark.testing.reservedMemory", "0"))) {
      int rddId = SparkBlocks.newRddId(spark.sc());
      return spark.parallelize(List.of(0), 1).map(unused -> pack(rddId, firstThatPacks)).first();
    }
  }

  private static Refused pack(int rddId, int firstThatPacks) {
    int number = TaskContext.get().attemptNumber();
    if (number < firstThatPacks) {
      throw new IllegalStateException("fails on purpose");
    }
    PackingAttempt attempt = new PackingAttempt(rddId, /* partition= */ 0, /* all= */ 1, 0);
    double[] values = new double[TOO_MANY];
    attempt.store(
        new DenseBlock(attempt.packingId(), new double[TOO_MANY], /* features= */ 1, values));
    PackedPartition packed = attempt.result();
    return new Refused(number, packed.bytesRefused(), packed.blocks().size());
  }

  /** Spark kills the slower of two attempts twice: the other has succeeded, the stage has ended. */
  @Test
  void dropAll_interruptedBeforeAndInTheMiddle_dropsAllAndStaysInterrupted() {
    List<BlockRef> blocks = IntStream.range(0, 5).mapToObj(PackingAttemptTest::block).toList();
    List<BlockRef> asked = new ArrayList<>();
    Thread.currentThread().interrupt();

    PackingAttempt.dropAll(
        blocks,
        block -> {
          assertThat(Thread.currentThread().isInterrupted()).isFalse();
          asked.add(block);
          if (asked.size() == 3) {
            throwUnchecked(new InterruptedException("in the middle of a drop"));
          }
        });

    assertThat(Thread.interrupted()).isTrue();
    assertThat(asked).containsExactlyInAnyOrderElementsOf(twice(blocks, /* again= */ 2));
  }

  private static List<BlockRef> twice(List<BlockRef> blocks, int again) {
    List<BlockRef> all = new ArrayList<>(blocks);
    all.add(blocks.get(again));
    return all;
  }

  private static BlockRef block(int index) {
    return new BlockRef(1, index, /* partition= */ 0, /* first= */ 0, /* rows= */ 1, 8, 1);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void throwUnchecked(Throwable error) throws E {
    throw (E) error;
  }
}
