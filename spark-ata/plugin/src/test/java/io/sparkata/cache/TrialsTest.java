package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cache.PartitionPlan.Move;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.spark.CachedBlocks.Block;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TrialsTest {
  private static final double[] WEIGHTS = {3, 1, 2, 5, 5};

  private final Trials trials = new Trials();

  private static List<Executor> executors(String... ids) {
    return Stream.of(ids).map(id -> new Executor(id, "host", 1, 0, Device.CPU)).toList();
  }

  /** Of executors a, b and c, the last of which was slow. */
  private static StageLoad load(int... at) {
    StageCosts costs = new StageCosts(new double[3], new double[] {1, 1, 9}, new int[] {1, 1, 1});
    List<CachedPartition> partitions =
        IntStream.range(0, at.length)
            .mapToObj(p -> new CachedPartition(List.of(new Block(7, p, "a", 1, 5, p > 0))))
            .toList();
    return new StageLoad(
        executors("a", "b", "c"), partitions, WEIGHTS, at, new boolean[3], costs, List.of(costs));
  }

  /** After how many stages the next one comes; 0 if none does within so many. */
  private int stagesUntilOne(int most, int... at) {
    for (int stage = 1; stage <= most; stage++) {
      Optional<Move> move = trials.next(/* rdd= */ 7, load(at));
      if (move.isPresent()) {
        assertThat(move).as("the lightest of b, which ends last").contains(new Move(2, 1, 2));
        return stage;
      }
    }
    return 0;
  }

  @Test
  void next_executorWithoutPartitions_getsOneAfterLongerAndLongerRests() {
    int[] emptied = {0, 0, 1, 1, 1}; // a has 4, b has 12

    assertThat(stagesUntilOne(100, emptied)).isEqualTo(20);
    assertThat(stagesUntilOne(100, emptied)).isEqualTo(40);
    assertThat(stagesUntilOne(100, 0, 2, 1, 1, 1)).as("it holds the one").isZero();
    assertThat(stagesUntilOne(100, emptied)).as("taken again").isEqualTo(80);
  }

  @Test
  void next_executorThatGotMore_isNoTrialAnyMore() {
    int[] emptied = {0, 0, 1, 1, 1};
    assertThat(stagesUntilOne(100, emptied)).isEqualTo(20);
    trials.next(7, load(2, 2, 1, 1, 1));

    assertThat(stagesUntilOne(100, emptied)).isEqualTo(20);
    trials.forget(7);
    assertThat(stagesUntilOne(100, emptied)).isEqualTo(20);
  }

  @Test
  void next_allHoldSome_isNone() {
    assertThat(stagesUntilOne(100, 0, 2, 1, 1, 1)).isZero();
  }

  /** Else one executor without any would follow the other. */
  @Test
  void next_onePartitionEach_isNone() {
    StageCosts costs = new StageCosts(new double[3], new double[] {1, 1, 9}, new int[] {1, 1, 1});
    StageLoad one =
        new StageLoad(
            executors("a", "b", "c"),
            List.of(),
            new double[] {3, 1},
            new int[] {0, 1},
            new boolean[3],
            costs,
            List.of(costs));
    for (int stage = 0; stage < 100; stage++) {
      assertThat(trials.next(7, one)).isEmpty();
    }
  }
}
