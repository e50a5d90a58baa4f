package io.sparkata.rounds.crew;

import io.sparkata.cluster.Executor;
import io.sparkata.cluster.ResidentRound;
import io.sparkata.gate.Trouble;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.spark.PlainJobs;
import io.sparkata.spark.SparkJobs;
import java.util.List;
import org.apache.spark.SparkContext;

/**
 * The Spark job of a {@link Crew}, on a thread of its own: it has the pool, the group and the tags
 * of the thread that makes it. Driver only, thread-safe.
 */
final class CrewJob implements AutoCloseable {
  private static final String DESCRIPTION = "spark.job.description";

  /** How long members may take to leave before their job is cancelled. */
  static final long LEAVING_MILLIS = 1000;

  private final SparkContext context;
  private final String name;
  private final Thread thread;
  private volatile boolean hasEnded;
  private volatile boolean isCancelledByUs;
  private volatile Throwable failure;

  /**
   * Makes the job; does not start it.
   *
   * @param name of the crew, and a tag of its job
   * @param atEnd called on the job's thread when it has ended, however that came
   */
  CrewJob(
      SparkContext context,
      String name,
      List<Executor> executors,
      RoundAccumulators accumulators,
      Runnable atEnd) {
    this.context = context;
    this.name = name;
    CrewRdd tasks = new CrewRdd(context, name, executors, accumulators);
    this.thread = daemon(name, () -> run(tasks, atEnd));
  }

  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  void start() {
    thread.start();
  }

  private void run(CrewRdd tasks, Runnable atEnd) {
    try {
      context.addJobTag(name);
      context.setLocalProperty(ResidentRound.CREW, name);
      String round = context.getLocalProperty(DESCRIPTION);
      context.setLocalProperty(
          DESCRIPTION, (round == null ? "" : round + "; ") + "later rounds by message");
      PlainJobs.run(tasks, slot -> {});
    } catch (Throwable failed) {
      failure = failed;
    } finally {
      hasEnded = true;
      atEnd.run();
    }
  }

  boolean hasEnded() {
    return hasEnded;
  }

  /** Waits for its end, so long at most. */
  void join(long millis) throws InterruptedException {
    thread.join(millis);
  }

  /** Throws Spark's exception if it was cancelled, as a round's own job would. */
  void rethrowCancellation() {
    if (failure != null && !isCancelledByUs && SparkJobs.isCancellation(failure)) {
      throw Trouble.<RuntimeException>unchecked(failure);
    }
  }

  /**
   * Checks that it runs.
   *
   * @throws CrewTrouble if it has failed or ended
   */
  void check() throws CrewTrouble {
    rethrowCancellation();
    if (failure != null) {
      throw new CrewTrouble("its job failed: " + failure.getMessage());
    }
    if (hasEnded) {
      throw new CrewTrouble("its job ended");
    }
  }

  /** Its members that run leave now. */
  void cancel() {
    isCancelledByUs = true;
    context.cancelJobsWithTag(name);
  }

  /** Waits until its slots are free; cancels it if that takes long. Keeps the interrupt. */
  @Override
  public void close() {
    boolean wasInterrupted = Thread.interrupted();
    try {
      join(LEAVING_MILLIS);
      if (thread.isAlive() && !context.isStopped()) {
        cancel();
        join(LEAVING_MILLIS);
      }
    } catch (InterruptedException again) {
      wasInterrupted = true;
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
