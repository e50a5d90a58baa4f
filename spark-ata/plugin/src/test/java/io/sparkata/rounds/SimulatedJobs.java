package io.sparkata.rounds;

import io.sparkata.cluster.Observation;
import io.sparkata.rounds.SimulatedExecutors.Machine;
import io.sparkata.rounds.SimulatedFaults.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rounds as Spark jobs on a {@link SimulatedCluster}. */
public final class SimulatedJobs implements RoundRunner {
  private static final int LARGEST_INLINE = 32_768;

  private final SimulatedCluster cluster;
  private final List<Observation> observed = new ArrayList<>();
  private int jobs;
  private boolean isClosed;

  public SimulatedJobs(SimulatedCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public <S> RoundResult<S> run(Round<S> round) {
    jobs++;
    RoundResult<S> sum = new RoundResult<>(round.summand().zero());
    long longest = 0;
    for (RoundTask task : round.plan().tasks()) {
      @SuppressWarnings("unchecked") // all sums of a simulation are of whole numbers
      RoundResult<S> result =
          (RoundResult<S>) run(task, (WholeSum) round.summand(), round.plan().contended());
      longest = Math.max(longest, result.reports().get(0).kernelNanos);
      if (!cluster.faults.strikes(Fault.LOST_RESULT, 0.02)) {
        sum.merge(result, round.summand());
      }
      if (cluster.faults.strikes(Fault.DOUBLE_RESULT, 0.02)) {
        sum.merge(result, round.summand());
      }
    }
    cluster.pass(longest);
    return sum;
  }

  private RoundResult<Long> run(RoundTask task, WholeSum summand, Set<String> contended) {
    while (true) {
      cluster.step();
      if (cluster.faults.strikes(Fault.THROW, 0.01)) {
        throw new ArithmeticException("the user's gradient");
      }
      Machine machine = cluster.executors.place(task.executorId());
      if (machine == null) { // the job's watch finds it
        cluster.pass(4_000_000_000L);
        cluster.silent(task.executorId());
        throw new LostExecutor("executor " + task.executorId() + " is silent");
      }
      RoundResult<Long> result = cluster.executors.work(machine, task, summand);
      if (!cluster.faults.strikes(Fault.LOST_ATTEMPT, 0.05)) {
        observe(result.reports().get(0), machine, contended);
        return result;
      }
    }
  }

  private void observe(TaskReport report, Machine machine, Set<String> contended) {
    if (report.sampledRows > 0) {
      observed.add(
          new Observation(
              machine.id,
              machine.slots,
              (double) report.sampledRows,
              (double) report.kernelNanos,
              /* overheadNanos= */ 1e6,
              /* isCompleted= */ true,
              contended.contains(machine.id)));
    }
  }

  @Override
  public boolean wasByMessage() {
    return false;
  }

  @Override
  public int rddsMade() {
    return jobs;
  }

  @Override
  public int largestInline() {
    return LARGEST_INLINE;
  }

  @Override
  public void release() {}

  @Override
  public List<Observation> drain() {
    List<Observation> drained = List.copyOf(observed);
    observed.clear();
    return drained;
  }

  @Override
  public void close() {
    isClosed = true;
  }

  /** Whether the training has given it back. */
  public boolean isClosed() {
    return isClosed;
  }
}
