package io.sparkata.rounds.job;

import io.sparkata.cluster.Silence;
import io.sparkata.cluster.SilentExecutors;
import io.sparkata.rounds.RoundRunner.LostExecutor;
import io.sparkata.spark.LifeSigns;
import io.sparkata.spark.SparkExecutors;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;

/**
 * Cancels the job of a round that waits for executors without a sign of life, so that the round is
 * planned again without them. Spark would wait for a minute or two, as for a lost one. Driver only;
 * jobs come from one thread.
 */
final class JobWatch implements AutoCloseable {
  private static final AtomicLong MADE = new AtomicLong();
  private static final long FIRST_LOOK_MILLIS = 1000;
  private static final long LOOK_MILLIS = 500;

  /** An executor with a tenth of a core may answer late. */
  private static final int FIRST_PATIENCE = 6;

  private static final int LONGEST_PATIENCE = 120;

  private final String name = "spark-ata-watch-" + MADE.incrementAndGet();
  private final SparkContext context;
  private final SilentExecutors silentExecutors;
  private final ScheduledThreadPoolExecutor watching;
  private int patience = FIRST_PATIENCE;
  private long jobs;

  JobWatch(SparkContext context, SilentExecutors silentExecutors) {
    this.context = context;
    this.silentExecutors = silentExecutors;
    this.watching = new ScheduledThreadPoolExecutor(1, work -> daemon(name, work));
    this.watching.setRemoveOnCancelPolicy(true);
    this.watching.setKeepAliveTime(FIRST_LOOK_MILLIS, TimeUnit.MILLISECONDS);
    this.watching.allowCoreThreadTimeOut(true); // sums of L-BFGS stay open between fits
  }

  private static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Runs a job on this thread.
   *
   * @param isTree whether a second stage reads what executors hold that have no task any more
   * @throws LostExecutor if it was cancelled because of silent executors
   */
  <T> T run(boolean isTree, Supplier<T> job) {
    Silence silence = new Silence(patience);
    String tag = name + "-" + ++jobs; // a late look must not cancel the next round's job
    AtomicReference<Set<String>> found = new AtomicReference<>(Set.of());
    Future<?> watch =
        watching.scheduleWithFixedDelay(
            () -> look(silence, isTree, tag, found),
            FIRST_LOOK_MILLIS,
            LOOK_MILLIS,
            TimeUnit.MILLISECONDS);
    context.addJobTag(tag);
    try {
      return job.get();
    } catch (Throwable error) {
      Set<String> silent = found.get();
      if (silent.isEmpty() || !String.valueOf(error.getMessage()).contains(tag)) {
        throw error; // a failure, or a cancellation by the user
      }
      double seconds = patience * LOOK_MILLIS / 1e3;
      silent.forEach(id -> silentExecutors.add(id, seconds));
      patience = Math.min(LONGEST_PATIENCE, 2 * patience);
      throw new LostExecutor("silent executors: " + String.join(", ", silent));
    } finally {
      context.removeJobTag(tag);
      watch.cancel(/* mayInterruptIfRunning= */ false);
    }
  }

  private void look(
      Silence silence, boolean isTree, String tag, AtomicReference<Set<String>> found) {
    Set<String> silent =
        silence.look(
            () -> LifeSigns.ask(context),
            id -> isTree || SparkExecutors.runningTasks(context).getOrDefault(id, 0) > 0);
    if (!silent.isEmpty()) {
      found.set(silent);
      context.cancelJobsWithTag(tag);
    }
  }

  @Override
  public void close() {
    watching.shutdownNow();
  }
}
