package io.sparkata.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StaleReplicasTest {
  private static final BlockRef BLOCK = new BlockRef(1, 0, 0, 0, 10, 80, 1);
  private static final Members MEMBERS =
      Members.of(
          Stream.of("a", "b").map(id -> new Executor(id, "host", 1, 0, Device.CPU)).toList());
  private static final List<List<String>> BOTH_HOLD = List.of(List.of("a", "b"));

  private final StaleReplicas replicas = new StaleReplicas(StaleReplicas.PATIENCE_ROUNDS);

  @Test
  void after_unusedForTenRounds_isDroppedInTheNext() {
    assertThat(after(1, BOTH_HOLD, readBy("b"))).containsExactly(List.of(), List.of());
    for (int round = 2; round <= 11; round++) {
      assertThat(after(round, BOTH_HOLD, readBy("a")))
          .as("round %s", round)
          .containsExactly(List.of(), List.of());
    }

    assertThat(after(12, BOTH_HOLD, readBy("a"))).containsExactly(List.of(), List.of(BLOCK));
  }

  @Test
  void after_neverUsed_countsFromWhenItWasFirstSeen() {
    for (int round = 5; round <= 14; round++) {
      assertThat(after(round, BOTH_HOLD, readBy("a")))
          .as("round %s", round)
          .containsExactly(List.of(), List.of());
    }

    assertThat(after(15, BOTH_HOLD, readBy("a"))).containsExactly(List.of(), List.of(BLOCK));
  }

  @Test
  void after_usedUntilTheRoundBefore_countsFromThere() {
    for (int round = 1; round <= 20; round++) { // nothing changes
      assertThat(after(round, BOTH_HOLD, readBy("b")).get(1)).isEmpty();
    }
    for (int round = 21; round <= 30; round++) {
      assertThat(after(round, BOTH_HOLD, readBy("a")).get(1)).as("round %s", round).isEmpty();
    }
    assertThat(after(31, BOTH_HOLD, readBy("a")).get(1)).containsExactly(BLOCK);
  }

  @Test
  void after_usedAgain_countsAnew() {
    for (int round = 1; round <= 30; round++) {
      assertThat(after(round, BOTH_HOLD, readBy(round % 10 == 0 ? "b" : "a")))
          .as("round %s", round)
          .containsExactly(List.of(), List.of());
    }
  }

  @Test
  void after_readerHasNoCopy_keepsTheOnlyOne() {
    List<List<String>> onlyB = List.of(List.of("b"));
    for (int round = 1; round <= 50; round++) {
      assertThat(after(round, onlyB, readBy("a")))
          .as("round %s", round)
          .containsExactly(List.of(), List.of());
    }
  }

  @Test
  void after_holderIsNotInThePlan_isLeftAlone() {
    List<List<String>> driverToo = List.of(List.of("a", "driver"));
    for (int round = 1; round <= 50; round++) {
      assertThat(after(round, driverToo, readBy("a")))
          .as("round %s", round)
          .containsExactly(List.of(), List.of());
    }
  }

  @Test
  void after_blockSplitBetweenHolders_keepsBoth() {
    List<List<Span>> split =
        List.of(List.of(new Span(0, BLOCK, 0, 4)), List.of(new Span(0, BLOCK, 4, 10)));
    for (int round = 1; round <= 50; round++) {
      assertThat(after(round, BOTH_HOLD, split)).containsExactly(List.of(), List.of());
    }
  }

  /** What a reader has fetched and then read, the others drop with the next round. */
  @Test
  void after_patienceOfOneRound_isDroppedOnceTheReaderHasReadItsOwn() {
    StaleReplicas moves = new StaleReplicas(/* patience= */ 1);
    List<List<String>> onlyB = List.of(List.of("b"));

    assertThat(after(moves, 1, onlyB, readBy("a"))).containsExactly(List.of(), List.of());
    assertThat(after(moves, 2, BOTH_HOLD, readBy("a"))).containsExactly(List.of(), List.of());
    assertThat(after(moves, 3, BOTH_HOLD, readBy("a"))).containsExactly(List.of(), List.of(BLOCK));
  }

  private List<List<BlockRef>> after(
      int round, List<List<String>> holders, List<List<Span>> spans) {
    return after(replicas, round, holders, spans);
  }

  private static List<List<BlockRef>> after(
      StaleReplicas replicas, int round, List<List<String>> holders, List<List<Span>> spans) {
    PlacementPlan plan =
        new PlacementPlan(MEMBERS, spans, List.of(), List.of(), /* refused= */ 0, /* cuts= */ 0);
    return replicas.after(
        round, Blocks.of(List.of(BLOCK)), ReplicaIndex.of(MEMBERS, holders), plan);
  }

  /** One of the two executors reads the whole block. */
  private static List<List<Span>> readBy(String reader) {
    List<Span> whole = List.of(new Span(0, BLOCK, 0, 10));
    return reader.equals("a") ? List.of(whole, List.of()) : List.of(List.of(), whole);
  }
}
