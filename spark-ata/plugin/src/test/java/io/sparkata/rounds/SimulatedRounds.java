package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.NoRoomException;
import io.sparkata.cluster.Counters;
import io.sparkata.cluster.ExecutorDemand;
import io.sparkata.memory.Speeds;
import io.sparkata.rounds.SimulatedFaults.Fault;
import io.sparkata.spark.SparkJobs;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * One training on a {@link SimulatedCluster}, and what must be so after each round and at its end.
 */
public final class SimulatedRounds {
  private static final List<String> POLICIES =
      List.of("adaptive", "adaptive", "uniform", "ata-empirical", "self-adaptive");
  private static final int MOST_ROUNDS = 12;

  /** How a training ended. */
  public enum End {
    DONE,
    /** Spark goes on with it, since blocks are lost again and again. */
    LEFT,
    /** The user's gradient has thrown, or the user has cancelled. */
    USERS
  }

  private final long seed;
  private final EnumSet<Fault> kinds;
  final SimulatedFaults faults;
  final SimulatedCluster cluster;
  final Counters counters = new Counters();
  private final Random random;

  /**
   * @param most kinds of faults that may strike; which ones the seed decides
   */
  public SimulatedRounds(long seed, EnumSet<Fault> most) {
    this.seed = seed;
    this.random = new Random(new SplittableRandom(seed).nextLong()); // else first draws are alike
    this.kinds = EnumSet.noneOf(Fault.class);
    for (Fault fault : Fault.values()) {
      if (random.nextInt(4) == 0 && most.contains(fault)) {
        kinds.add(fault);
      }
    }
    this.faults = new SimulatedFaults(random, kinds, random.nextInt(12));
    this.cluster =
        new SimulatedCluster(
            random,
            faults,
            /* executors= */ 1 + random.nextInt(5),
            /* keepsIds= */ random.nextBoolean(),
            /* isCareless= */ random.nextInt(3) == 0);
  }

  /**
   * Runs the training.
   *
   * @param sumsOn makes the sums
   * @throws AssertionError if a sum is wrong, or anything is left behind
   */
  public End run(Function<SimulatedCluster, SimulatedSums> sumsOn) {
    Thread.interrupted(); // by a training that failed
    SimulatedSums sums = sumsOn.apply(cluster);
    String policy = POLICIES.get(random.nextInt(POLICIES.size()));
    int rounds = random.nextBoolean() ? Workload.UNKNOWN : MOST_ROUNDS;
    int count = 1 + random.nextInt(MOST_ROUNDS);
    RoundContext context =
        new RoundContext(
            cluster,
            ExecutorDemand.none(),
            new Speeds(Optional.empty(), /* failsOnError= */ true, Clock.systemUTC()),
            counters,
            RoundLog.none(seed, policy),
            cluster::nanoTime);
    End end = End.DONE;
    try (Rounds opened = sums.open(context, policy, rounds)) {
      faults.begin();
      int before = 0;
      int lasting = 0;
      for (int round = 1; round <= count; round++) {
        faults.tell("round " + round);
        long start = cluster.unpaused();
        sums.check(opened, round);
        long nanos = cluster.unpaused() - start;
        assertThat(nanos)
            .as("nanoseconds of round %s", round)
            .isLessThan(sums.mostNanos() * (1 + lasting + faults.count() - before));
        cluster.checkSlots();
        lasting = cluster.lasting();
        before = faults.count(); // one between two rounds strikes the second
        cluster.step();
      }
    } catch (Throwable error) {
      end = endOf(error);
    }
    boolean isInterrupted = Thread.interrupted();
    if (faults.struck().containsKey(Fault.INTERRUPT)) {
      assertThat(isInterrupted || end == End.USERS).as("the interrupt is kept").isTrue();
    }
    sums.checkClosed();
    assertThat(cluster.isClosed()).as("rows given back").isTrue();
    assertThat(cluster.crews()).as("crews left behind").isEmpty();
    if (faults.struck().isEmpty()) {
      assertThat(end).isEqualTo(End.DONE);
      assertThat(cluster.repacks()).as("packed again without a fault").isZero();
    }
    return end;
  }

  private End endOf(Throwable error) {
    if (error instanceof NoRoomException
        || (error instanceof IllegalStateException
            && error.getMessage().startsWith("Cannot complete round"))) {
      return End.LEFT;
    }
    boolean isUsers =
        error instanceof ArithmeticException
            || SparkJobs.isCancellation(error)
            || (error instanceof IllegalStateException
                && error.getMessage().contains("the user's gradient"));
    if (isUsers) {
      return End.USERS;
    }
    if (error instanceof Error failed) {
      throw failed;
    }
    throw new AssertionError("the training failed", error);
  }
}
