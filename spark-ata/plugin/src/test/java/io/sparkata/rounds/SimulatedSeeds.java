package io.sparkata.rounds;

import io.sparkata.rounds.SimulatedFaults.Fault;
import io.sparkata.rounds.SimulatedRounds.End;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Many simulated trainings, one per seed; of one that fails, as few kinds of faults as possible.
 */
public final class SimulatedSeeds {
  private static final int USUAL = 2000;

  private final Function<SimulatedCluster, SimulatedSums> sumsOn;
  private final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
  private final Map<End, Integer> ends = new EnumMap<>(End.class);
  private int repacks;
  private long rounds;
  private long byMessage;

  /**
   * @param sumsOn makes the sums of a training
   */
  public SimulatedSeeds(Function<SimulatedCluster, SimulatedSums> sumsOn) {
    this.sumsOn = sumsOn;
  }

  /**
   * Runs the seeds from the property {@code ata.simulation.seed} on, as many as {@code
   * ata.simulation.seeds} says.
   *
   * @throws AssertionError for the first that fails, with its story
   */
  public void run() {
    long first = Long.getLong("ata.simulation.seed", 1);
    int count = Integer.getInteger("ata.simulation.seeds", USUAL);
    for (long seed = first; seed < first + count; seed++) {
      SimulatedRounds rounds = new SimulatedRounds(seed, EnumSet.allOf(Fault.class));
      try {
        ends.merge(rounds.run(sumsOn), 1, Integer::sum);
      } catch (Throwable failed) {
        throw shrunk(seed, failed);
      }
      rounds.faults.struck().forEach((fault, times) -> struck.merge(fault, times, Integer::sum));
      repacks += rounds.cluster.repacks();
      this.rounds += rounds.counters.rounds.get();
      byMessage += rounds.counters.residentRounds.get();
    }
    if (count > USUAL) {
      System.out.println(this);
    }
  }

  private AssertionError shrunk(long seed, Throwable failed) {
    EnumSet<Fault> kinds = EnumSet.allOf(Fault.class);
    SimulatedRounds least = new SimulatedRounds(seed, kinds);
    Throwable last = failure(least);
    for (Fault fault : Fault.values()) {
      EnumSet<Fault> fewer = EnumSet.copyOf(kinds);
      fewer.remove(fault);
      SimulatedRounds rounds = new SimulatedRounds(seed, fewer);
      Throwable again = failure(rounds);
      if (again != null) {
        kinds = fewer;
        least = rounds;
        last = again;
      }
    }
    return new AssertionError(
        "seed "
            + seed
            + ": "
            + (last == null ? failed : last)
            + "\n"
            + String.join("\n", least.faults.story()),
        last == null ? failed : last);
  }

  private Throwable failure(SimulatedRounds rounds) {
    try {
      rounds.run(sumsOn);
      return null;
    } catch (Throwable failed) {
      return failed;
    }
  }

  /**
   * The share of the trainings that ended as if nothing had happened; healthy 0.86 for jobs, 0.74
   * by message, 0.65 for greedy ones.
   */
  public double shareDone() {
    int all = ends.values().stream().mapToInt(times -> times).sum();
    return (double) ends.getOrDefault(End.DONE, 0) / all;
  }

  /** The share of the rounds that went by message. */
  public double shareByMessage() {
    return (double) byMessage / (double) rounds;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d rounds, %d by message; packed again %d times; %s; %s",
        rounds,
        byMessage,
        repacks,
        ends,
        struck);
  }
}
