package io.sparkata.rounds.crew;

import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Observation;
import io.sparkata.cluster.ResidentRound;
import io.sparkata.gate.Trouble;
import io.sparkata.rounds.Round;
import io.sparkata.rounds.RoundPlan;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundRunner;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.crew.CrewProtocol.Brought;
import io.sparkata.rounds.crew.CrewTrouble.LostMember;
import io.sparkata.rounds.crew.CrewTrouble.SilentMember;
import io.sparkata.rounds.crew.SlotClaims.Claim;
import io.sparkata.spark.Serialized;
import io.sparkata.spark.SparkJobs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.util.AccumulatorV2;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs rounds by messages to a {@link Crew}, and as jobs where that is better: when tasks of other
 * jobs want the slots, when sums are large, near the end of a training. Where messages fail, the
 * same round runs as a job, whose sum is the same; without a member it is planned again.
 */
final class ResidentRunner implements RoundRunner {
  private static final Logger LOG = LoggerFactory.getLogger(ResidentRunner.class);

  /** Numbers of all rounds of this JVM: below 0, unlike the RDD ids that number jobs' rounds. */
  private static final AtomicLong ROUNDS = new AtomicLong();

  /** Above so many numbers in all, jobs send and add them faster, through Spark's broadcasts. */
  private static final long LARGEST = 2L << 20;

  /** Forming a crew takes as long as some rounds. */
  private static final int FEWEST_ROUNDS = 5;

  /** Looks without a word of a member, about 20 a second, before it counts as silent. */
  private static final int FIRST_PATIENCE = 30;

  private static final int LONGEST_PATIENCE = 1200;
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /**
   * An executor of unknown speed gets no rows for so long: its first task made all wait for 7 s.
   */
  private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final RoundHost host;
  private final RoundRunner jobs;
  private final JobCosts costs;
  private final SpeedTrials trials = new SpeedTrials();
  private Crew crew;
  private int crewsFormed;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private long notBefore;
  private int patience = FIRST_PATIENCE;
  private boolean wasByMessage;
  private boolean isAnnounced;
  private boolean mustBeJobs;
  private boolean areLarge;

  /**
   * Takes over the runner of jobs, and closes it.
   *
   * @param costs when jobs cost too much
   */
  ResidentRunner(RoundHost host, RoundRunner jobs, JobCosts costs) {
    this.host = host;
    this.jobs = jobs;
    this.costs = costs;
    this.notBefore = host.nanoTime();
  }

  @Override
  public <S> RoundResult<S> run(Round<S> round) {
    wasByMessage = false;
    if (crew != null) {
      crew.rethrowCancellation();
    }
    if (isWorthIt(round)) {
      try {
        RoundResult<S> result = byMessage(round);
        wasByMessage = true;
        return result;
      } catch (LostMember lost) { // its tasks would wait for it by spark.locality.wait
        crew.cancel();
        release();
        throw new LostExecutor(lost.getMessage());
      } catch (SilentMember silent) {
        throw withoutMember(silent);
      } catch (CrewTrouble trouble) {
        pause(trouble.getMessage());
      } catch (Throwable error) {
        if (SparkJobs.isCancellation(error)) { // or an interrupt
          endCrew();
          throw Trouble.<RuntimeException>unchecked(error);
        }
        Trouble.rethrowFatal(error);
        pause(error.toString());
      }
    }
    release();
    long start = host.nanoTime();
    RoundResult<S> result = jobs.run(round);
    costs.ran(host.nanoTime() - start, result.reports());
    return result;
  }

  private boolean isWorthIt(Round<?> round) {
    long numbers = (long) round.plan().members().size() * round.summand().size();
    areLarge = numbers > LARGEST;
    if (areLarge || !areAllowed()) {
      return false;
    }
    return isThere() || (round.left() >= FEWEST_ROUNDS && costs.areHigh());
  }

  /** Whether anything but costs keeps rounds jobs. */
  private boolean areAllowed() {
    return areAllowedWithin(/* nanos= */ 0);
  }

  private boolean areAllowedWithin(long nanos) {
    long jobsUntil = Math.max(notBefore, host.noCrewsUntil().get());
    return !mustBeJobs && jobsUntil - host.nanoTime() <= nanos;
  }

  @Override
  public boolean tries(String executorId, int left) {
    boolean isSoon = areAllowedWithin(SOON_NANOS) && left >= FEWEST_ROUNDS && costs.mayBeHigh();
    return !areLarge && (isThere() || isSoon) && trials.canShow(executorId);
  }

  private boolean isThere() {
    return crew != null && crew.isThere();
  }

  /** Spark adds up an accumulator of the caller's where a task ends, which members outlive. */
  private boolean hasAccumulators(byte[] shared) {
    return crewsFormed == 0 && Serialized.names(shared, AccumulatorV2.class);
  }

  private <S> RoundResult<S> byMessage(Round<S> round) throws CrewTrouble, InterruptedException {
    Handout work = Handout.of(round.summand(), round.rows(), round.plan().tasks(), host::toBytes);
    if (hasAccumulators(work.shared())) {
      mustBeJobs = true;
      throw new CrewTrouble("the gradient has an accumulator");
    }
    join(round.plan());
    long number = ROUNDS.decrementAndGet();
    RoundResult<S> result = new RoundResult<>(round.summand().zero());
    List<ResidentRound.Task> took =
        new ArrayList<>(trials.take(crew.takeTried(), round.plan(), result, host::result));
    List<Brought> brought =
        crew.run(
            number,
            work,
            () -> trials.handout(round, host::toBytes),
            host.cluster()::liveIds,
            patience);
    for (Brought one : brought) {
      if (one.done().failure() != null) {
        throw new CrewTrouble("executor " + one.executorId() + " failed: " + one.done().failure());
      }
      @SuppressWarnings("unchecked") // the summand is the round's
      RoundResult<S> ofMember = (RoundResult<S>) host.result(one.done().sum());
      took.addAll(times(one, ofMember.reports(), round.plan()));
      result.merge(ofMember, round.summand());
    }
    host.took(-number, took);
    pauseNanos = FIRST_PAUSE_NANOS;
    switch (crew.claim()) {
      case JOB -> pause("tasks of another job wait for slots");
      case CREW -> release(); // the next round's crew waits for its turn
      case NONE -> {}
    }
    return result;
  }

  /** Forms a crew if there is none for these slots: one that leaves must have its slots free. */
  private void join(RoundPlan plan) {
    if (isThere() && crew.isFor(plan.members().executors())) {
      return;
    }
    release();
    List<Executor> members = plan.members().executors();
    crewsFormed++;
    crew = new Crew(host, members);
    if (!isAnnounced) { // not at each turn
      isAnnounced = true;
      LOG.info(
          "Spark ATA: rounds go by message to {} executors, whose slots stay taken meanwhile{}",
          members.size(),
          costs.reason());
    }
  }

  /** What each task took; of the rest of an executor's time, each of its tasks took all. */
  private static List<ResidentRound.Task> times(
      Brought brought, List<TaskReport> reports, RoundPlan plan) {
    return reports.stream()
        .map(
            task ->
                new ResidentRound.Task(
                    task.executorId,
                    plan.slots(task.executorId),
                    task.sampledRows,
                    task.kernelNanos,
                    task.fetchNanos,
                    Math.max(0, brought.nanos() - task.kernelNanos - task.fetchNanos),
                    plan.contended().contains(task.executorId)))
        .toList();
  }

  private LostExecutor withoutMember(SilentMember silent) {
    patience = Math.min(LONGEST_PATIENCE, 2 * patience);
    crew.cancel();
    pause(silent.getMessage());
    silent.executorIds().forEach(id -> host.silent(id, silent.seconds()));
    return new LostExecutor(silent.getMessage());
  }

  /** Runs rounds as jobs for a while, longer each time in a row. */
  private void pause(String reason) {
    LOG.info(
        "Spark ATA: rounds run as jobs{}: {}",
        mustBeJobs ? "" : " for " + TimeUnit.NANOSECONDS.toSeconds(pauseNanos) + " s",
        reason);
    isAnnounced = false;
    boolean isForAJob = crew != null && crew.claim() == Claim.JOB;
    release();
    notBefore = host.nanoTime() + pauseNanos;
    if (isForAJob) { // else another training's crew would meet this one's jobs
      host.noCrewsUntil().accumulateAndGet(notBefore, Math::max);
    }
    pauseNanos = Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
  }

  @Override
  public boolean wasByMessage() {
    return wasByMessage;
  }

  @Override
  public int rddsMade() {
    return jobs.rddsMade() + crewsFormed;
  }

  @Override
  public int largestInline() {
    return isThere() ? (int) (LARGEST / crew.executors().size()) : jobs.largestInline();
  }

  @Override
  public void release() {
    Crew left = crew;
    endCrew();
    if (left != null) {
      left.rethrowCancellation(); // the first sign of it may be a killed or a waiting task
    }
  }

  private void endCrew() {
    if (crew != null) {
      crew.busyWithTrials().forEach(id -> trials.lost(id, "the crew has ended before it"));
      crew.close();
      crew = null;
    }
  }

  @Override
  public List<Observation> drain() {
    return jobs.drain();
  }

  @Override
  public void close() {
    try {
      endCrew();
    } finally {
      jobs.close();
    }
  }
}
