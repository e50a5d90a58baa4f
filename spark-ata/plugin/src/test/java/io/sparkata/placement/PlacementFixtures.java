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
  static final int MANY_ROUNDS = 1000;
  static final List<String> A = List.of("a");
  static final List<String> B = List.of("b");
  static final List<String> C = List.of("c");

  private PlacementFixtures() {}

  /** A plan to the row, with rounds enough for any move to pay. */
  static PlacementPlan plan(List<BlockRef> blocks, List<List<String>> holders, Target... targets) {
    return planned(
        new Placement(), blocks, holders, List.of(targets), /* tolerance= */ 0, MANY_ROUNDS);
  }

  /** As {@link Placement#plan}, with the names of the holders per block. */
  static PlacementPlan planned(
      Placement placement,
      List<BlockRef> blocks,
      List<List<String>> holders,
      List<Target> targets,
      long tolerance,
      int roundsLeft) {
    Members members =
        Members.of(
            targets.stream()
                .map(one -> new Executor(one.id(), "host", /* slots= */ 1, 0, Device.CPU))
                .toList());
    return placement.plan(
        Blocks.of(blocks),
        members,
        ReplicaIndex.of(members, holders),
        targets.stream().mapToLong(Target::targetRows).toArray(),
        new CostModel(
            targets.stream().mapToDouble(Target::secondsPerRow).toArray(),
            new double[targets.size()],
            targets.stream().mapToDouble(Target::error).toArray(),
            targets.stream().mapToDouble(Target::bytesPerSecond).toArray(),
            targets.stream().allMatch(Target::decidesCount)),
        tolerance,
        roundsLeft);
  }

  /**
   * An executor and what it should get.
   *
   * @param secondsPerRow estimated, or NaN
   * @param error relative standard error of that time
   * @param bytesPerSecond of fetches, or NaN
   * @param decidesCount whether the count follows from the time
   */
  record Target(
      String id,
      long targetRows,
      double secondsPerRow,
      double error,
      double bytesPerSecond,
      boolean decidesCount) {

    Target withError(double relative) {
      return new Target(id, targetRows, secondsPerRow, relative, bytesPerSecond, decidesCount);
    }

    Target withRate(double rate) {
      return new Target(id, targetRows, secondsPerRow, error, rate, decidesCount);
    }

    Target fixed() {
      return new Target(id, targetRows, secondsPerRow, error, bytesPerSecond, false);
    }
  }

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

  /** Of unknown speed: it may be twice as fast or slow as it seems. */
  static Target target(String id, long rows) {
    return new Target(id, rows, Double.NaN, 0.5, Double.NaN, true);
  }

  /** Of well known speed, and with fetches that were never measured. */
  static Target timed(String id, long rows, double secondsPerRow) {
    return new Target(id, rows, secondsPerRow, 0.01, Double.NaN, true);
  }
}
