package io.sparkata.placement;

import io.sparkata.blocks.Blocks;
import io.sparkata.cluster.AtaRuntime.Executor;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** How much of the rows each executor can read without fetching them anew in every round. */
public final class StorageHeadroom {
  private StorageHeadroom() {}

  /**
   * The units of rows that executors hold or have free memory for, rounded down but for as many as
   * are needed to hold all.
   *
   * @param copies who holds the blocks, by positions in {@code executors}
   * @param budget units that all rows are
   * @return by executor; empty if together they hold less than all, as where others hold some
   */
  public static int[] units(
      List<Executor> executors, Blocks blocks, ReplicaIndex copies, int budget) {
    double rows = blocks.rows();
    double bytes = blocks.bytes();
    long[] rowsHeld = copies.rowsHeld(blocks, executors.size());
    int[] units = new int[rowsHeld.length];
    double[] rest = new double[rowsHeld.length];
    long sum = 0;
    for (int i = 0; i < units.length; i++) {
      double free = bytes == 0 ? rows : executors.get(i).freeBytes() / bytes * rows;
      double exact = Math.min(budget, (rowsHeld[i] + free) / rows * budget);
      units[i] = (int) exact;
      rest[i] = exact - units[i];
      sum += units[i];
    }
    int missing = (int) Math.max(0, budget - sum);
    if (missing == 0) {
      return units;
    }
    int[] open =
        IntStream.range(0, rest.length)
            .filter(i -> rest[i] > 0)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -rest[i]))
            .limit(missing)
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i : open) {
      units[i]++;
    }
    return open.length < missing ? new int[0] : units;
  }
}
