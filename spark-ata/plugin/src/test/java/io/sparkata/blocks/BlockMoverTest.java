package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockMover.Moved;
import io.sparkata.blocks.BlockStore.Source;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class BlockMoverTest {
  private static final BlockRef FIRST = new BlockRef(1, 0, 0, 0, 10, 100, 1);
  private static final BlockRef SECOND = new BlockRef(1, 1, 0, 10, 10, 200, 1);
  private static final BlockRef THIRD = new BlockRef(1, 2, 0, 20, 10, 400, 1);

  private final List<BlockRef> begun = new CopyOnWriteArrayList<>();
  private final Map<BlockRef, Source> sources = new ConcurrentHashMap<>();
  private final Semaphore mayEnd = new Semaphore(0);
  private final BlockMover mover =
      new BlockMover(
          block -> {
            begun.add(block);
            mayEnd.acquireUninterruptibly();
            return sources.getOrDefault(block, Source.FETCHED_AND_KEPT);
          });

  @Test
  void want_whileATaskRuns_fetchesWhenTheLastHasEnded() {
    mayEnd.release(9);
    mover.taskStarts();
    mover.taskStarts();
    mover.want(List.of(SECOND, FIRST));
    mover.taskEnds();
    assertThat(begun).isEmpty();

    mover.taskEnds();

    awaitBegun(SECOND, FIRST);
  }

  @Test
  void taskStarts_duringAFetch_beginsNoOther() {
    play(FIRST, SECOND);
    awaitBegun(FIRST);
    mover.taskStarts();
    mayEnd.release(9);
    awaitMovedBlocks(1);

    assertThat(begun).containsExactly(FIRST);
    mover.taskEnds();
    awaitBegun(FIRST, SECOND);
  }

  /** The first one loads classes. */
  @Test
  void takeMoved_someFetches_timesAllButTheFirstOnce() {
    mayEnd.release(9);
    play(FIRST, SECOND, THIRD);
    Awaitility.await().until(() -> begun.size() == 3);
    awaitMovedBlocks(3);
    assertThat(timedBytes).isEqualTo(600);

    assertThat(mover.takeMoved()).isEqualTo(Moved.NOTHING);
  }

  @Test
  void fetch_blockIsHereAlready_countsNothing() {
    sources.put(FIRST, Source.LOCAL);
    mayEnd.release(9);
    play(FIRST, SECOND);
    awaitBegun(FIRST, SECOND);
    awaitMovedBlocks(1);

    assertThat(timedBytes).as("the first fetch of all").isZero();
  }

  @Test
  void fetch_blockCannotStay_triesNoOther() {
    sources.put(FIRST, Source.FETCHED);
    mayEnd.release(9);
    play(FIRST, SECOND);
    awaitBegun(FIRST);

    play(THIRD);
    awaitBegun(FIRST, THIRD);
  }

  @Test
  void want_nothing_leavesWhatIsWanted() {
    mover.taskStarts();
    mover.want(List.of(FIRST));
    mover.want(List.of());
    mayEnd.release(9);
    mover.taskEnds();

    awaitBegun(FIRST);
  }

  private long timedBytes;
  private int movedBlocks;

  private void awaitMovedBlocks(int blocks) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              Moved moved = mover.takeMoved();
              movedBlocks += moved.blocks();
              timedBytes += moved.bytes() - moved.coldBytes();
              assertThat(movedBlocks).isEqualTo(blocks);
            });
  }

  private void awaitBegun(BlockRef... blocks) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(begun).containsExactly(blocks));
  }

  private void play(BlockRef... wanted) {
    mover.taskStarts();
    mover.want(List.of(wanted));
    mover.taskEnds();
  }
}
