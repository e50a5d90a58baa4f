package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.spark.SparkBlocks;
import io.sparkata.testing.LocalSpark;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.RDDBlockId;
import org.junit.jupiter.api.Test;

/** What an attempt does whose blocks find no room. */
class PackingAttemptTest {
  private static final int TOO_MANY = 4_000_000; // 64 MB
  private static final int MANY = 300;

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
  void undo_interruptedAgainMeanwhile_leavesNoBlock() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of("spark.master", "local[1]"))) {
      int rddId = SparkBlocks.newRddId(spark.sc());
      assertThatThrownBy(
              () -> spark.parallelize(List.of(0), 1).map(unused -> packAndFail(rddId)).collect())
          .hasMessageContaining("fails on purpose");

      List<RDDBlockId> ids =
          IntStream.range(0, MANY).mapToObj(block -> new RDDBlockId(rddId, block)).toList();
      assertThat(SparkBlocks.holders(spark.sc(), ids)).hasSize(MANY).allMatch(List::isEmpty);
    }
  }

  private static int packAndFail(int rddId) {
    PackingAttempt attempt = new PackingAttempt(rddId, /* partition= */ 0, /* all= */ 1, 0);
    for (int block = 0; block < MANY; block++) {
      double[] values = {block};
      attempt.store(new DenseBlock(attempt.packingId(), new double[1], /* features= */ 1, values));
    }
    Thread packing = Thread.currentThread();
    RDDBlockId first = new RDDBlockId(rddId, 0);
    Thread interrupter =
        new Thread(
            () -> {
              while (SparkEnv.get().blockManager().getStatus(first).isDefined()) {
                Thread.onSpinWait();
              }
              packing.interrupt();
            });
    interrupter.setDaemon(true);
    interrupter.start();
    throw new IllegalStateException("fails on purpose");
  }
}
