package io.sparkata.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.Blocks;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplicaIndexTest {
  private static final List<String> EXECUTORS = List.of("a", "b", "c");
  private static final List<List<String>> HOLDERS =
      List.of(List.of("b"), List.of(), List.of("gone", "c", "a"));

  @Test
  void of_holders_numbersCopiesBlockByBlock() {
    ReplicaIndex copies = ReplicaIndex.of(EXECUTORS, HOLDERS);

    assertThat(copies.size()).isEqualTo(4);
    assertThat(positions(copies, 0)).containsExactly(1);
    assertThat(positions(copies, 1)).isEmpty();
    assertThat(positions(copies, 2)).containsExactly(-1, 2, 0);
    assertThat(copies.count(2)).isEqualTo(3);
    assertThat(copies.find(2, 0)).isEqualTo(3);
    assertThat(copies.find(0, 0)).isEqualTo(-1);
    assertThat(copies.holds(2, 2)).isTrue();
    assertThat(copies.holds(1, 2)).isFalse();
  }

  @Test
  void next_otherExecutorsAndHolders_isAsLookedUpAnew() {
    ReplicaIndex before = ReplicaIndex.of(EXECUTORS, HOLDERS);
    List<String> executors = List.of("c", "a", "d");
    List<List<String>> holders =
        List.of(List.of("a", "b"), List.of("d"), List.of("c", "a"), List.of("d"));

    ReplicaIndex after = before.next(executors, holders);

    assertThat(positions(after, 0)).containsExactly(1, -1);
    assertThat(positions(after, 1)).containsExactly(2);
    assertThat(positions(after, 2)).containsExactly(0, 1);
    assertThat(positions(after, 3)).containsExactly(2);
  }

  @Test
  void next_nothingChanged_isTheSame() {
    ReplicaIndex before = ReplicaIndex.of(EXECUTORS, HOLDERS);

    assertThat(before.next(List.of("a", "b", "c"), HOLDERS)).isSameAs(before);
    assertThat(before.next(List.of("c", "b", "a"), HOLDERS)).isNotSameAs(before);
    assertThat(ReplicaIndex.of(List.of(), List.of()))
        .as("shared by all")
        .isNotSameAs(ReplicaIndex.NONE);
  }

  @Test
  void rowsHeld_otherBlocks_countsAnew() {
    ReplicaIndex copies =
        ReplicaIndex.of(List.of("a", "b"), List.of(List.of("a", "gone"), List.of("a", "b")));
    Blocks blocks = Blocks.of(PlacementFixtures.blocks(5, 7));

    assertThat(copies.rowsHeld(blocks, 2)).containsExactly(12, 7);
    assertThat(copies.rowsHeld(blocks, 2)).containsExactly(12, 7);
    assertThat(copies.rowsHeld(Blocks.of(PlacementFixtures.blocks(1, 2)), 2)).containsExactly(3, 2);
  }

  @Test
  void translation_executorsLeftAndMoved_findsThem() {
    assertThat(ReplicaIndex.translation(EXECUTORS, EXECUTORS)).containsExactly(0, 1, 2);
    assertThat(ReplicaIndex.translation(EXECUTORS, List.of("c", "a", "d")))
        .containsExactly(1, -1, 0);
  }

  private static List<Integer> positions(ReplicaIndex copies, int block) {
    return IntStream.range(copies.first(block), copies.end(block))
        .mapToObj(copies::executor)
        .toList();
  }
}
