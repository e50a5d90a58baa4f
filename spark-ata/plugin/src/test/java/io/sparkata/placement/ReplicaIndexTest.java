package io.sparkata.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.Blocks;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReplicaIndexTest {
  private static final List<List<String>> HOLDERS =
      List.of(List.of("b"), List.of(), List.of("gone", "c", "a"));

  @Test
  void of_holders_numbersCopiesBlockByBlock() {
    ReplicaIndex replicas = ReplicaIndex.of(members("a", "b", "c"), HOLDERS);

    assertThat(positions(replicas, 0)).containsExactly(1);
    assertThat(positions(replicas, 1)).isEmpty();
    assertThat(positions(replicas, 2)).containsExactly(-1, 2, 0);
    assertThat(replicas.count(2)).isEqualTo(3);
    assertThat(replicas.find(2, 0)).isEqualTo(3);
    assertThat(replicas.find(0, 0)).isEqualTo(-1);
    assertThat(replicas.holds(2, 2)).isTrue();
    assertThat(replicas.holds(1, 2)).isFalse();
  }

  @Test
  void of_manyCopiesOfOneBlock_keepsAll() {
    List<List<String>> everywhere = List.of(List.of("a", "b", "c"), List.of("c", "b", "a"));
    ReplicaIndex replicas = ReplicaIndex.of(members("a", "b", "c"), everywhere);

    assertThat(positions(replicas, 0)).containsExactly(0, 1, 2);
    assertThat(positions(replicas, 1)).containsExactly(2, 1, 0);
  }

  @Test
  void without_executors_keepsWhatNoOtherOfTheRoundHolds() {
    List<List<String>> holders =
        List.of(List.of("a", "b"), List.of("b"), List.of("gone", "b"), List.of("b", "c", "a"));
    BitSet bAndC = BitSet.valueOf(new long[] {0b110});
    ReplicaIndex left = ReplicaIndex.of(members("a", "b", "c"), holders).without(bAndC);

    assertThat(positions(left, 0)).containsExactly(0, -1);
    assertThat(positions(left, 1)).containsExactly(1);
    assertThat(positions(left, 2)).containsExactly(-1, 1);
    assertThat(positions(left, 3)).containsExactly(-1, -1, 0);
    assertThat(left.count(3)).isEqualTo(3);
  }

  @Test
  void rowsHeld_replicas_countWithEachHolder() {
    ReplicaIndex replicas =
        ReplicaIndex.of(members("a", "b"), List.of(List.of("a", "gone"), List.of("a", "b")));

    assertThat(replicas.rowsHeld(Blocks.of(PlacementFixtures.blocks(5, 7)), 2))
        .containsExactly(12, 7);
  }

  private static Members members(String... ids) {
    return Members.of(
        Stream.of(ids).map(id -> new Executor(id, "host", 1, 0, Device.CPU)).toList());
  }

  private static List<Integer> positions(ReplicaIndex replicas, int block) {
    return IntStream.range(replicas.first(block), replicas.end(block))
        .mapToObj(replicas::holder)
        .toList();
  }
}
