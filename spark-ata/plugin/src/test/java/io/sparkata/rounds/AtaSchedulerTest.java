package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.NoRoomException;
import io.sparkata.blocks.RowSelection;
import io.sparkata.cluster.Counters;
import io.sparkata.cluster.ExecutorDemand;
import io.sparkata.cluster.Observation;
import io.sparkata.memory.Speeds;
import io.sparkata.rounds.SimulatedFaults.Fault;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Rounds as jobs, most of whose attempts lose a block in a given way, on virtual time. */
class AtaSchedulerTest {
  /** One more than may be evicted in a row, and one less than a round is tried. */
  private static final int LOSSES = 9;

  private final SimulatedCluster cluster =
      new SimulatedCluster(
          new Random(5),
          new SimulatedFaults(new Random(5), EnumSet.noneOf(Fault.class), /* most= */ 0),
          /* executors= */ 3,
          /* keepsIds= */ true,
          /* isCareless= */ false);

  /** Before a job, takes the only copy of a block. */
  private final class LosingJobs implements RoundRunner {
    private final RoundRunner jobs = new SimulatedJobs(cluster);
    private final BiConsumer<BlockRef, String> loss;
    private int left;

    /**
     * @param loss of a block, from its only holder
     */
    LosingJobs(BiConsumer<BlockRef, String> loss) {
      this.loss = loss;
    }

    @Override
    public <S> RoundResult<S> run(Round<S> round) {
      if (left > 0) {
        left--;
        List<List<String>> holders = cluster.holders();
        int block = 0;
        while (holders.get(block).size() > 1) {
          block++;
        }
        loss.accept(cluster.blocks().get(block), holders.get(block).get(0));
      }
      return jobs.run(round);
    }

    @Override
    public List<Observation> drain() {
      return jobs.drain();
    }

    @Override
    public boolean tries(String executorId, int left) {
      return false;
    }

    @Override
    public boolean wasByMessage() {
      return jobs.wasByMessage();
    }

    @Override
    public int rddsMade() {
      return jobs.rddsMade();
    }

    @Override
    public int largestInline() {
      return jobs.largestInline();
    }

    @Override
    public void release() {
      jobs.release();
    }

    @Override
    public void close() {
      jobs.close();
    }
  }

  /** The sum of a second round, whose first nine attempts lose a block. */
  private long sumOfSecond(BiConsumer<BlockRef, String> loss) {
    LosingJobs jobs = new LosingJobs(loss);
    try (AtaScheduler scheduler =
        new AtaScheduler(
            new Workload("simulated", /* fraction= */ 1, Workload.UNKNOWN),
            new RoundContext(
                cluster,
                ExecutorDemand.none(),
                new Speeds(Optional.empty(), /* failsOnError= */ true, Clock.systemUTC()),
                new Counters(),
                RoundLog.none(/* call= */ 1, "uniform"),
                cluster::nanoTime),
            cluster,
            () -> jobs,
            (priors, rowsPerUnit) ->
                AllocationPolicies.create(
                    "uniform", PolicySettings.defaults(), getClass().getClassLoader()))) {
      scheduler.sum(/* round= */ 1, new WholeSum(1), RowSelection.all());
      jobs.left = LOSSES;
      return scheduler.sum(/* round= */ 2, new WholeSum(1), RowSelection.all());
    }
  }

  @Test
  void sum_blocksAreEvictedAgainAndAgain_isNoRoom() {
    assertThatThrownBy(() -> sumOfSecond(cluster::evict))
        .isInstanceOf(NoRoomException.class)
        .hasMessageContaining("evicted " + LOSSES + " times");
  }

  /** New ones change nothing. */
  @Test
  void sum_blocksAreEvictedWhileExecutorsJoin_isNoRoom() {
    assertThatThrownBy(
            () ->
                sumOfSecond(
                    (block, holder) -> {
                      cluster.evict(block, holder);
                      cluster.join();
                    }))
        .isInstanceOf(NoRoomException.class)
        .hasMessageContaining("evicted " + LOSSES + " times");
  }

  /** As often, but storage memory is not short. */
  @Test
  void sum_executorsDieAgainAndAgain_isTheSum() {
    long sum =
        sumOfSecond(
            (block, holder) -> {
              cluster.kill(holder);
              cluster.join();
            });

    assertThat(sum).isEqualTo(cluster.sum());
    assertThat(cluster.repacks()).as("attempts in vain").isEqualTo(LOSSES);
  }
}
