package io.sparkata.lab.cold;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * Runs of all sides of one work.
 *
 * @param runs one per side, that of {@link ColdSide#SPARK} first and that of Spark ATA last
 */
public record ColdComparison(List<ColdRun> runs) {
  private static final int MOST_ITERATIONS = 1_000_000;

  public ColdRun spark() {
    return runs.get(0);
  }

  public ColdRun sparkAta() {
    return runs.get(runs.size() - 1);
  }

  /** The side with the shortest call of those without Spark ATA. */
  public ColdRun rival() {
    return runs.subList(0, runs.size() - 1).stream()
        .min(Comparator.comparingDouble(ColdRun::callSeconds))
        .orElseThrow();
  }

  /**
   * From how many iterations on the call by Spark ATA would be the shortest, if all else of the
   * calls stays as it was; empty if its iterations are not the shortest.
   */
  public OptionalInt aheadFrom() {
    double from = 1;
    for (ColdRun other : runs.subList(0, runs.size() - 1)) {
      double gain = other.secondsPerIteration() - sparkAta().secondsPerIteration();
      double cost = sparkAta().otherSeconds() - other.otherSeconds();
      if (gain <= 0) {
        return OptionalInt.empty();
      }
      from = Math.max(from, Math.floor(cost / gain) + 1);
    }
    return from > MOST_ITERATIONS ? OptionalInt.empty() : OptionalInt.of((int) from);
  }
}
