package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sparkata.spark.CachedBlocks.Block;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CachedPartitionTest {
  private static final int LEVEL = 5;
  private static final Map<String, Double> SLOWNESS = Map.of("slow", 4.0, "fast", 1.0);

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

  @Test
  void spares_secondCopies_areThoseOfSlowerExecutors() {
    CachedPartition twice =
        new CachedPartition(
            List.of(
                block(7, 0, "slow", true),
                block(7, 0, "fast", true),
                block(8, 0, "slow", false),
                block(8, 0, "fast", false)));
    assertThat(CachedPartition.spares(List.of(twice), SLOWNESS::get))
        .containsExactly(block(7, 0, "slow", true));
  }

  /** The fast executor did all tasks, too; it keeps one partition less and ends sooner. */
  @Test
  void spares_severalPartitions_areDividedBySpeed() {
    Map<String, Double> slowness = Map.of("fast", 1.0, "middle", 2.0, "slow", 4.0);
    List<CachedPartition> partitions =
        CachedPartition.of(
            List.of(
                block(7, 0, "slow", true),
                block(7, 0, "fast", true),
                block(7, 1, "middle", true),
                block(7, 1, "fast", true),
                block(7, 2, "fast", true)),
            slowness.keySet());

    assertThat(CachedPartition.spares(partitions, slowness::get))
        .containsExactly(block(7, 0, "slow", true), block(7, 1, "fast", true));
  }

  /** A stage that reads both would fetch one of them each time. */
  @Test
  void spares_rddsThatAreReadTogether_stayTogether() {
    CachedPartition together =
        new CachedPartition(
            List.of(
                block(7, 0, "slow", true), block(7, 0, "fast", true), block(9, 0, "slow", true)));
    assertThat(CachedPartition.spares(List.of(together), SLOWNESS::get))
        .containsExactly(block(7, 0, "fast", true));
  }

  /** A copy may be on its way, or an RDD was computed elsewhere. */
  @Test
  void executor_ofRddsAtTwoPlaces_isThatOfTheOldest() {
    List<CachedPartition> partitions =
        CachedPartition.of(
            List.of(block(9, 0, "b", true), block(7, 0, "a", true)), Set.of("a", "b"));

    assertThat(partitions).extracting(CachedPartition::executor).containsExactly("a");
  }

  /** The slow executor would answer after seconds; an empty block has no rate. */
  @Test
  void toProbe_isTheFastestsLargestOfEachRdd_timesHowMuchSlowerTheSlowestIs() {
    Block empty = new Block(7, 1, "fast", /* bytes= */ 1, LEVEL, /* isMovable= */ true);
    Block norms = block(9, 4, "middle", true);
    Map<String, Double> slowness = Map.of("fast", 0.5, "middle", 1.0, "slow", 4.0, "stuck", 9.0);
    List<CachedPartition> partitions =
        CachedPartition.of(
            List.of(
                block(7, 0, "slow", true),
                empty,
                block(7, 2, "fast", true),
                block(7, 3, "stuck", false),
                block(7, 4, "middle", true),
                norms), // the fastest executor had no room for them
            slowness.keySet());

    assertThat(CachedPartition.toProbe(partitions, slowness::get))
        .isEqualTo(Map.of(block(7, 2, "fast", true), 8.0, norms, 4.0));
    assertThat(CachedPartition.toProbe(List.of(), slowness::get)).isEmpty();
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
