package io.sparkata.placement;

import io.sparkata.blocks.Blocks;
import io.sparkata.cluster.Members;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/** How many of the rows each executor can read without fetching them again in every round. */
public final class StorageHeadroom {
  private StorageHeadroom() {}

  /**
   * The units of rows that executors hold or have free memory for. Rounded down, except for as many
   * as are needed to hold all.
   *
   * @param replicas who holds the blocks, by positions in {@code members}
   * @param budget units that all rows are
   * @return by member; empty if together they hold less than all, for example because other
   *     executors hold some
   */
  public static Optional<int[]> units(
      Members members, Blocks blocks, ReplicaIndex replicas, int budget) {
    double rows = blocks.rows();
    double bytes = blocks.bytes();
    long[] rowsHeld = replicas.rowsHeld(blocks, members.size());
    int[] units = new int[rowsHeld.length];
    double[] rest = new double[rowsHeld.length];
    long sum = 0;
    for (int i = 0; i < units.length; i++) {
      double free = bytes == 0 ? rows : members.get(i).freeBytes() / bytes * rows;
      double exact = Math.min(budget, (rowsHeld[i] + free) / rows * budget);
      units[i] = (int) exact;
      rest[i] = exact - units[i];
      sum += units[i];
    }
    int missing = (int) Math.max(0, budget - sum);
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
    return open.length < missing ? Optional.empty() : Optional.of(units);
  }
}
