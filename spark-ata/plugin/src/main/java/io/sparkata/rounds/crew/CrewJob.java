package io.sparkata.rounds.crew;

import io.sparkata.cluster.Executor;
import io.sparkata.cluster.ResidentRound;
import io.sparkata.gate.Trouble;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.spark.PlainJobs;
import io.sparkata.spark.SparkJobs;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Spark job of a {@link Crew}, on a thread of its own: it has the pool, the group and the tags
 * of the thread that makes it. Driver only, thread-safe.
 */
final class CrewJob implements CrewHost.Job {
  private static final Logger LOG = LoggerFactory.getLogger(CrewJob.class);
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

  @Override
  public boolean hasEnded() {
    return hasEnded;
  }

  @Override
  public void watch(BooleanSupplier look, Runnable atEnd) {
    daemon(name + "-watch", () -> lookUntilTheEnd(look, atEnd)).start();
  }

  private void lookUntilTheEnd(BooleanSupplier look, Runnable atEnd) {
    try {
      while (look.getAsBoolean()) {
        thread.join(Crew.LOOK_MILLIS);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      LOG.debug("Spark ATA: cannot look for waiting tasks", error);
    }
    atEnd.run();
  }

  @Override
  public void rethrowCancellation() {
    if (failure != null && !isCancelledByUs && SparkJobs.isCancellation(failure)) {
      throw Trouble.<RuntimeException>unchecked(failure);
    }
  }

  @Override
  public void check() throws CrewTrouble {
    rethrowCancellation();
    if (failure != null) {
      throw new CrewTrouble("its job failed: " + failure.getMessage());
    }
    if (hasEnded) {
      throw new CrewTrouble("its job ended");
    }
  }

  @Override
  public void cancel() {
    isCancelledByUs = true;
    context.cancelJobsWithTag(name);
  }

  @Override
  public void close(long millis) {
    boolean wasInterrupted = Thread.interrupted();
    try {
      thread.join(millis);
      if (thread.isAlive() && !context.isStopped()) {
        cancel();
        thread.join(LEAVING_MILLIS);
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
