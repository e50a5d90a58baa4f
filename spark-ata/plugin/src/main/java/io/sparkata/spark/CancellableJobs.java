package io.sparkata.spark;

import java.util.function.Supplier;
import org.apache.spark.SparkContext;

/**
 * Runs jobs that are cancelled when the caller's thread is interrupted. Spark alone lets such a job
 * continue, and its tasks would store blocks that nothing removes. Driver only.
 *
 * @param tag that no other jobs have
 */
public record CancellableJobs(SparkContext context, String tag) {

  /** Runs jobs on this thread. */
  public <T> T run(Supplier<T> jobs) {
    context.addJobTag(tag);
    try {
      return jobs.get();
    } catch (Throwable error) {
      if (error instanceof InterruptedException // Scala does not declare it
          && !context.isStopped()) {
        context.cancelJobsWithTag(tag);
      }
      throw error;
    } finally {
      context.removeJobTag(tag);
    }
  }
}
