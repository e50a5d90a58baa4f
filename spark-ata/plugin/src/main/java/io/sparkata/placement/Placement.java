package io.sparkata.placement;

import io.sparkata.blocks.Blocks;
import io.sparkata.cluster.Members;
import io.sparkata.placement.PlacementPlan.Move;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns rows per executor into spans of blocks: {@link Readers} lets each block be read where it
 * is, {@link Relocation} chooses what is fetched for later rounds. Equal input gives an equal plan.
 * Cost: linear in executors, blocks and copies, except for sorting the spans of each executor.
 * Remembers what was asked for. Driver only, one thread.
 */
public final class Placement {
  private List<Move> asked = List.of();

  /**
   * The plan of the next round.
   *
   * @param blocks all blocks, in row order
   * @param targetRows rows wanted of each member; their sum is the blocks' rows
   * @param tolerance rows by which a count may be missed to keep a block whole
   * @param roundsLeft rounds in which a move can pay for itself
   */
  public PlacementPlan plan(
      Blocks blocks,
      Members members,
      ReplicaIndex replicas,
      long[] targetRows,
      CostModel cost,
      long tolerance,
      int roundsLeft) {
    long wanted = Arrays.stream(targetRows).sum();
    if (wanted != blocks.rows()) {
      throw new IllegalArgumentException(
          "Invalid target rows: " + wanted + " in all (the blocks have " + blocks.rows() + ")");
    }
    Readers readers = new Readers(blocks, members, replicas, cost, targetRows, tolerance);
    Relocation relocation =
        new Relocation(readers, members, replicas, cost, targetRows, asked, roundsLeft);
    asked = relocation.moves();
    List<Move> fetches = new ArrayList<>(readers.fetches());
    fetches.addAll(relocation.fetches());
    return new PlacementPlan(
        members,
        readers.spans(),
        fetches,
        relocation.moves(),
        relocation.refused(),
        readers.cuts());
  }
}
