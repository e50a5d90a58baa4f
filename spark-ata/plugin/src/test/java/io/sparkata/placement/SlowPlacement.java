package io.sparkata.placement;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Members;
import io.sparkata.placement.PlacementFixtures.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@link Placement} as it is defined, by searching: each holder in lists of names, each block in
 * the pool of all that are left. The model of its tests.
 */
final class SlowPlacement {
  private final Map<BlockRef, String> owners = new HashMap<>();
  private PlacementPlan last;
  private double lost;

  /** As {@link Placement#plan}, with the names of the holders per block. */
  PlacementPlan plan(
      List<BlockRef> blocks,
      List<List<String>> holders,
      List<Target> targets,
      long tolerance,
      int roundsLeft) {
    boolean canKeep = last != null && isStillPossible(blocks, targets);
    if (canKeep && isGoodEnough(targets, tolerance)) {
      PlacementPlan same = recounted(last, blocks, holders, /* isKept= */ false);
      if (same.moves().isEmpty()) {
        return same;
      }
    }
    PlacementPlan next = new WrapAroundPlacer(blocks, holders, targets, tolerance).plan();
    if (canKeep) {
      PlacementPlan kept = recounted(last, blocks, holders, /* isKept= */ true);
      next = pays(next, kept, targets, roundsLeft) ? next : kept;
    }
    lost = next.isKept() ? lost : 0;
    remember(next);
    return next;
  }

  /** Whether the last plan misses no count by more than the tolerance. */
  private boolean isGoodEnough(List<Target> targets, long tolerance) {
    long[] rows = last.rows();
    for (int i = 0; i < rows.length; i++) {
      long wanted = targets.get(i).targetRows();
      if (Math.abs(rows[i] - wanted) > tolerance || (wanted == 0 && rows[i] > 0)) {
        return false;
      }
    }
    return true;
  }

  private void remember(PlacementPlan plan) {
    owners.clear();
    Map<BlockRef, Integer> most = new HashMap<>();
    for (int i = 0; i < plan.members().ids().size(); i++) {
      for (Span span : plan.spans().get(i)) {
        if (span.rows() > most.getOrDefault(span.ref(), 0)) {
          most.put(span.ref(), span.rows());
          owners.put(span.ref(), plan.members().ids().get(i));
        }
      }
    }
    last = plan;
  }

  private boolean isStillPossible(List<BlockRef> blocks, List<Target> targets) {
    List<String> live = targets.stream().map(Target::id).toList();
    return last.members().ids().equals(live)
        && owners.size() == blocks.size()
        && owners.keySet().containsAll(blocks);
  }

  /** Whether that takes less time in the rounds left, and enough was lost before or is won soon. */
  private boolean pays(
      PlacementPlan next, PlacementPlan kept, List<Target> targets, int roundsLeft) {
    if (next.moves().isEmpty() || targets.stream().anyMatch(t -> Double.isNaN(t.secondsPerRow()))) {
      return true;
    }
    double gain =
        (roundSeconds(kept, kept, targets) + fetching(kept, targets, /* toKeep= */ false))
            - roundSeconds(next, kept, targets)
            - fetching(next, targets, /* toKeep= */ false);
    double cost = fetching(next, targets, true) - fetching(kept, targets, true);
    lost += gain;
    lost = lost < 0 ? 0 : lost;
    boolean isWorthIt = roundsLeft * gain > cost;
    return isWorthIt && (cost <= 0 || lost + 7 * gain >= cost);
  }

  /** Seconds of fetching blocks that have room to stay, or of those that have not. */
  private static double fetching(PlacementPlan plan, List<Target> targets, boolean toKeep) {
    double longest = 0;
    for (Target target : targets) {
      long bytes =
          plan.moves().stream()
              .filter(move -> move.executor().equals(target.id()))
              .mapToLong(PlacementPlan.Move::bytes)
              .sum();
      boolean isRoom = bytes <= target.freeBytes();
      double seconds = 2.0 * bytes / target.bytesPerSecond();
      longest = isRoom == toKeep ? Math.max(longest, seconds) : longest;
    }
    return longest;
  }

  private static double roundSeconds(PlacementPlan plan, PlacementPlan last, List<Target> targets) {
    long[] rows = plan.rows();
    double longest = 0;
    for (int i = 0; i < rows.length; i++) {
      double seconds = rows[i] * targets.get(i).secondsPerRow();
      if (rows[i] > 0) {
        seconds += targets.get(i).secondsPerRound();
      }
      longest = last.rows()[i] == 0 ? longest : Math.max(longest, seconds);
    }
    return longest;
  }

  private static PlacementPlan recounted(
      PlacementPlan plan, List<BlockRef> blocks, List<List<String>> holders, boolean isKept) {
    return new PlacementPlan(
        plan.members(),
        plan.spans(),
        movesOf(blocks, holders, plan.members().ids(), plan.spans()),
        plan.cuts(),
        isKept);
  }

  private static List<PlacementPlan.Move> movesOf(
      List<BlockRef> blocks,
      List<List<String>> holders,
      List<String> executors,
      List<List<Span>> spans) {
    List<PlacementPlan.Move> moves = new ArrayList<>();
    for (int i = 0; i < executors.size(); i++) {
      for (Span span : spans.get(i)) {
        if (!holders.get(span.block()).contains(executors.get(i))) {
          BlockRef block = blocks.get(span.block());
          moves.add(new PlacementPlan.Move(block, executors.get(i), block.bytes()));
        }
      }
    }
    return moves;
  }

  /** One plan in the making. */
  private final class WrapAroundPlacer {
    private final List<BlockRef> blocks;
    private final List<List<String>> holders;
    private final List<Target> targets;
    private final long tolerance;
    private final long[] deficit;
    private final long[] free;
    private final int[] takenUpTo;
    private final List<List<Span>> spans = new ArrayList<>();
    private int cuts;

    WrapAroundPlacer(
        List<BlockRef> blocks, List<List<String>> holders, List<Target> targets, long tolerance) {
      this.blocks = blocks;
      this.holders = holders;
      this.targets = targets;
      this.tolerance = tolerance;
      this.deficit = targets.stream().mapToLong(Target::targetRows).toArray();
      this.free = targets.stream().mapToLong(Target::freeBytes).toArray();
      this.takenUpTo = new int[blocks.size()];
      targets.forEach(unused -> spans.add(new ArrayList<>()));
      long wanted = Arrays.stream(deficit).sum();
      long rows = blocks.stream().mapToLong(BlockRef::rows).sum();
      if (wanted != rows) {
        throw new IllegalArgumentException(
            "Invalid target rows: " + wanted + " in all (the blocks have " + rows + ")");
      }
    }

    PlacementPlan plan() {
      ownersKeepWholeBlocks();
      holdersTakeWholeBlocks();
      fillGaps();
      spans.forEach(list -> list.sort(Comparator.comparingInt(Span::block)));
      Members members = PlacementFixtures.members(targets);
      return new PlacementPlan(
          members,
          spans,
          movesOf(blocks, holders, members.ids(), spans),
          cuts,
          /* isKept= */ false);
    }

    /** Blocks without other holders are kept first: the others are cheaper to give away. */
    private void ownersKeepWholeBlocks() {
      Map<String, Integer> positions = new HashMap<>();
      for (int i = 0; i < targets.size(); i++) {
        positions.put(targets.get(i).id(), i);
      }
      List<Integer> order = new ArrayList<>();
      for (int b = 0; b < blocks.size(); b++) {
        order.add(b);
      }
      order.sort(Comparator.comparingInt(b -> holders.get(b).size()));
      for (int b : order) {
        Integer owner = positions.get(owners.get(blocks.get(b)));
        if (owner != null && holds(owner, b) && fitsWhole(owner, b)) {
          take(owner, b, blocks.get(b).rows());
        }
      }
    }

    private void holdersTakeWholeBlocks() {
      for (int b = 0; b < blocks.size(); b++) {
        if (takenUpTo[b] > 0) {
          continue;
        }
        int best = -1;
        for (int i = 0; i < targets.size(); i++) {
          boolean isBetter = best < 0 || deficit[i] > deficit[best];
          if (holds(i, b) && fitsWhole(i, b) && isBetter) {
            best = i;
          }
        }
        if (best >= 0) {
          take(best, b, blocks.get(b).rows());
        }
      }
    }

    private void fillGaps() {
      List<Integer> pool = new ArrayList<>();
      for (int b = 0; b < blocks.size(); b++) {
        if (takenUpTo[b] == 0) {
          pool.add(b);
        }
      }
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < targets.size(); i++) {
        order.add(i);
      }
      order.sort(Comparator.comparingLong((Integer i) -> deficit[i]).reversed());
      for (int i : order) {
        while (deficit[i] > 0 && !pool.isEmpty()) {
          int b = choose(i, pool);
          int left = blocks.get(b).rows() - takenUpTo[b];
          take(i, b, (int) Math.min(left, deficit[i]));
          if (takenUpTo[b] == blocks.get(b).rows()) {
            pool.remove((Integer) b);
          } else {
            cuts++;
          }
        }
      }
    }

    /** A block that executor {@code i} holds, else one that it has room for, else any. */
    private int choose(int i, List<Integer> pool) {
      int roomy = -1;
      for (int b : pool) {
        if (holds(i, b)) {
          return b;
        }
        if (roomy < 0 && blocks.get(b).bytes() <= free[i]) {
          roomy = b;
        }
      }
      return roomy >= 0 ? roomy : pool.get(0);
    }

    private boolean holds(int i, int b) {
      return holders.get(b).contains(targets.get(i).id());
    }

    private boolean fitsWhole(int i, int b) {
      return deficit[i] > 0 && blocks.get(b).rows() <= deficit[i] + tolerance;
    }

    private void take(int i, int b, int rows) {
      BlockRef block = blocks.get(b);
      spans.get(i).add(new Span(b, block, takenUpTo[b], takenUpTo[b] + rows));
      takenUpTo[b] += rows;
      deficit[i] -= rows;
      if (!holds(i, b)) {
        free[i] -= block.bytes();
      }
    }
  }
}
