package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sparkata.spark.CachedBlocks.Block;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CachedPartitionTest {
  private static final int LEVEL = 5;

  private static Block block(int rdd, int partition, String executor, boolean isMovable) {
    return new Block(rdd, partition, executor, /* bytes= */ 10, LEVEL, isMovable);
  }

  @Test
  void of_blocksOfTwoRdds_areOnePartition() {
    List<CachedPartition> partitions =
        CachedPartition.of(
            List.of(
                block(7, 1, "a", true),
                block(7, 0, "b", true),
                block(9, 1, "a", true),
                block(9, 0, "b", true)),
            Set.of("a", "b"));

    assertThat(partitions)
        .allMatch(CachedPartition::isMovable)
        .extracting(CachedPartition::number, CachedPartition::executor, CachedPartition::bytes)
        .containsExactly(tuple(0, "b", 20L), tuple(1, "a", 20L));
  }

  /** A second copy, or one on disk: the others may move, and these count. */
  @Test
  void of_copyOrBlockOnDisk_isNotMovable() {
    List<CachedPartition> partitions =
        CachedPartition.of(
            List.of(
                block(7, 0, "a", true),
                block(7, 0, "b", true),
                block(7, 1, "a", false),
                block(7, 2, "a", true)),
            Set.of("a", "b"));

    assertThat(partitions)
        .extracting(CachedPartition::isMovable)
        .containsExactly(false, false, true);
  }

  /** The next stage knows more. */
  @Test
  void of_executorIsGone_isNone() {
    assertThat(
            CachedPartition.of(
                List.of(block(7, 0, "a", true), block(7, 1, "gone", true)), Set.of("a", "b")))
        .isEmpty();
  }
}
