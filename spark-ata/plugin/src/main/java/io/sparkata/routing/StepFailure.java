package io.sparkata.routing;

import io.sparkata.config.AtaConf;
import io.sparkata.gate.Trouble;
import io.sparkata.spark.SparkJobs;
import org.apache.spark.SparkContext;

/**
 * A step of ours that failed, kept until Spark's own path has tried it: only if that succeeds, the
 * failure is ours.
 *
 * @param step such as {@code pack the data}
 */
public record StepFailure(String step, Throwable error) {

  /**
   * Keeps a failure after which Spark's own path may try.
   *
   * @throws RuntimeException the error itself, if it is a cancellation, if Spark's own path would
   *     throw it too, or if it must end the training
   */
  public static StepFailure of(String step, Throwable error, SparkContext context, AtaConf conf) {
    if (context.isStopped()
        || Thread.currentThread().isInterrupted()
        || SparkJobs.isCancellation(error)
        || UserFault.isCauseOf(error)
        || conf.failsOnTrouble()) {
      throw Trouble.<RuntimeException>unchecked(error);
    }
    return new StepFailure(step, error);
  }

  /** Only the first line of the message: Spark puts stack traces into messages. */
  @Override
  public String toString() {
    String message = error.getMessage() == null ? error.toString() : error.getMessage();
    return step + " (" + message.lines().findFirst().orElse("") + ")";
  }
}
