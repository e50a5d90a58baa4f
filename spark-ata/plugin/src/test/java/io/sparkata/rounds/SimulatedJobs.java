package io.sparkata.rounds;

import io.sparkata.cluster.CallFeedback.ExpectedTask;
import io.sparkata.cluster.Observation;
import io.sparkata.cluster.ResidentRound;
import io.sparkata.cluster.SimulatedEvents;
import io.sparkata.gate.Trouble;
import io.sparkata.rounds.SimulatedExecutors.Machine;
import io.sparkata.rounds.SimulatedFaults.Fault;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Rounds as Spark jobs on a {@link SimulatedCluster}. */
public final class SimulatedJobs implements RoundRunner {
  private static final int LARGEST_INLINE = 32_768;

  private final SimulatedCluster cluster;
  private final SimulatedEvents events;
  private int jobs;
  private boolean isClosed;

  public SimulatedJobs(SimulatedCluster cluster) {
    this.cluster = cluster;
    this.events = new SimulatedEvents(cluster.random, cluster.faults);
  }

  @Override
  public <S> RoundResult<S> run(Round<S> round) {
    jobs++;
    RoundResult<S> sum = new RoundResult<>(round.summand().zero());
    long longest = 0;
    List<RoundTask> tasks = round.plan().tasks();
    int stage = events.jobStarts(jobs, expected(round.plan()));
    for (int i = 0; i < tasks.size(); i++) {
      @SuppressWarnings("unchecked") // all sums of a simulation are of whole numbers
      RoundResult<S> result =
          (RoundResult<S>)
              run(stage, i, tasks.subList(i, tasks.size()), (WholeSum) round.summand());
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

  private static List<ExpectedTask> expected(RoundPlan plan) {
    return plan.tasks().stream()
        .map(
            task ->
                new ExpectedTask(
                    task.executorId(),
                    task.rows(),
                    task.slots(),
                    plan.contended().contains(task.executorId())))
        .toList();
  }

  private RoundResult<Long> run(int stage, int partition, List<RoundTask> left, WholeSum summand) {
    RoundTask task = left.get(0);
    while (true) {
      cluster.step();
      if (Thread.interrupted()) {
        throw Trouble.<RuntimeException>unchecked(new InterruptedException());
      }
      if (cluster.faults.strikes(Fault.THROW, 0.01)) {
        throw new ArithmeticException("the user's gradient");
      }
      Machine machine = cluster.executors.place(task.executorId());
      if (machine == null) {
        throw silent(left);
      }
      RoundResult<Long> result = cluster.executors.work(machine, task, summand);
      if (!cluster.faults.strikes(Fault.LOST_ATTEMPT, 0.05)) {
        TaskReport report = result.reports().get(0);
        events.succeeded(
            stage,
            partition,
            machine.id,
            report.kernelNanos,
            report.sampledRows,
            report.fetchNanos);
        return result;
      }
      long millis = cluster.executors.nanosOf(machine, (int) task.rows()) / 1_000_000;
      events.failed(stage, partition, machine.id, cluster.random.nextInt((int) millis + 1));
    }
  }

  /** The job's watch finds those that do not answer. */
  private LostExecutor silent(List<RoundTask> left) {
    Set<String> silent = new TreeSet<>();
    left.stream()
        .map(RoundTask::executorId)
        .filter(cluster.executors::isSilent)
        .forEach(silent::add);
    cluster.pass(4_000_000_000L);
    silent.forEach(cluster::silent);
    return new LostExecutor("silent executors: " + String.join(", ", silent));
  }

  /** Receives what a round by message took. */
  public void took(List<ResidentRound.Task> tasks) {
    events.roundEnded(tasks);
  }

  @Override
  public boolean tries(String executorId, int left) {
    return false;
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
    return events.drain();
  }

  @Override
  public void close() {
    events.close();
    isClosed = true;
  }

  /** Whether the training has given it back. */
  public boolean isClosed() {
    return isClosed;
  }
}
