package io.sparkata.placement;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import java.util.ArrayList;
import java.util.List;

/** Blocks, holders and executors of the tests of {@link Placement}, and its plans for them. */
final class PlacementFixtures {
  static final long AMPLE = 1L << 40;
  static final int MANY_ROUNDS = 1000;
  static final List<String> A = List.of("a");
  static final List<String> B = List.of("b");
  static final List<String> C = List.of("c");

  private PlacementFixtures() {}

  /** A plan to the row, with rounds enough for any move to pay. */
  static PlacementPlan plan(
      Placement placement, List<BlockRef> blocks, List<List<String>> holders, Target... targets) {
    return planned(placement, blocks, holders, List.of(targets), /* tolerance= */ 0, MANY_ROUNDS);
  }

  /** As {@link Placement#plan}, with the names of the holders per block. */
  static PlacementPlan planned(
      Placement placement,
      List<BlockRef> blocks,
      List<List<String>> holders,
      List<Target> targets,
      long tolerance,
      int roundsLeft) {
    Members members = members(targets);
    return placement.plan(
        Blocks.of(blocks),
        members,
        ReplicaIndex.of(members, holders),
        targets.stream().mapToLong(Target::targetRows).toArray(),
        cost(targets),
        tolerance,
        roundsLeft);
  }

  private static Members last = Members.NONE;

  /** As the scheduler makes them: of the same version where the same executors are there. */
  static synchronized Members members(List<Target> targets) {
    last =
        last.next(
            targets.stream()
                .map(
                    target ->
                        new Executor(
                            target.id(), "host", /* slots= */ 1, target.freeBytes(), Device.CPU))
                .toList());
    return last;
  }

  private static CostModel cost(List<Target> targets) {
    return new CostModel(
        targets.stream().mapToDouble(Target::secondsPerRow).toArray(),
        targets.stream().mapToDouble(Target::secondsPerRound).toArray(),
        targets.stream().mapToDouble(Target::bytesPerSecond).toArray());
  }

  /**
   * An executor and what it should get.
   *
   * @param secondsPerRow estimated, or NaN
   * @param secondsPerRound estimated, besides the rows
   * @param bytesPerSecond of fetches
   */
  record Target(
      String id,
      long targetRows,
      long freeBytes,
      double secondsPerRow,
      double secondsPerRound,
      double bytesPerSecond) {}

  /** Blocks of 1,000 bytes and so many rows. */
  static List<BlockRef> blocks(int... rows) {
    List<BlockRef> blocks = new ArrayList<>();
    long first = 0;
    for (int i = 0; i < rows.length; i++) {
      blocks.add(new BlockRef(1, i, 0, first, rows[i], 1000, 1));
      first += rows[i];
    }
    return blocks;
  }

  /** With room for all, and of unknown speed. */
  static Target target(String id, long rows) {
    return new Target(id, rows, AMPLE, Double.NaN, 0, 100);
  }

  /** 0.25 seconds a row, 10 bytes a second. */
  static Target timed(String id, long rows) {
    return timed(id, rows, /* bytesPerSecond= */ 10);
  }

  static Target timed(String id, long rows, double bytesPerSecond) {
    return new Target(id, rows, AMPLE, 0.25, 0, bytesPerSecond);
  }
}
