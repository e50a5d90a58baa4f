package io.sparkata.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Blocks of 10 rows and 1,000 bytes. */
class StorageHeadroomTest {

  @Test
  void units_heldAndFree_add() {
    assertThat(units(/* budget= */ 40, "a a b b", 500, 2000)).containsExactly(25, 40);
  }

  @Test
  void units_replicas_countWithEachHolder() {
    assertThat(units(/* budget= */ 40, "ab a b b", 0, 0)).containsExactly(20, 30);
  }

  @Test
  void units_noFreeMemory_holdAllTogether() {
    assertThat(units(/* budget= */ 7, "a b c", 0, 0, 0)).containsExactlyInAnyOrder(3, 2, 2);
    assertThat(units(/* budget= */ 2, "a b c", 0, 0, 0)).containsExactlyInAnyOrder(1, 1, 0);
    assertThat(units(/* budget= */ 40, "a a b b", 10, 10))
        .as("rounded down")
        .containsExactly(20, 20);
  }

  @Test
  void units_blocksThatOthersHold_leaveNoAnswer() {
    assertThat(units(/* budget= */ 40, "a a b x", 0, 0)).isEmpty();
    assertThat(units(/* budget= */ 40, "a a b x", 0, 1000)).containsExactly(20, 20);
  }

  /** Executors a, b ..., one for each free memory; of each block the letters of its holders. */
  private static int[] units(int budget, String holders, long... freeBytes) {
    List<Executor> executors = new ArrayList<>();
    for (int i = 0; i < freeBytes.length; i++) {
      String id = Character.toString('a' + i);
      executors.add(new Executor(id, "host", /* slots= */ 1, freeBytes[i], Device.CPU));
    }
    List<BlockRef> blocks = new ArrayList<>();
    List<List<String>> held = new ArrayList<>();
    for (String ids : holders.split(" ", -1)) {
      blocks.add(
          new BlockRef(1, blocks.size(), 0, 10L * blocks.size(), 10, 1000, /* packingId= */ 1));
      held.add(List.of(ids.split("(?!^)", -1)));
    }
    Members members = Members.of(executors);
    return StorageHeadroom.units(members, Blocks.of(blocks), ReplicaIndex.of(members, held), budget)
        .orElse(new int[0]);
  }
}
