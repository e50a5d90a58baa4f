package io.sparkata.spark;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.rdd.DeterministicLevel;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.AccumulatorContext;

/** What Spark's own code asks of RDDs, closures and failed jobs. Driver only. */
public final class SparkJobs {
  /**
   * Spark 3.5 shows a cancellation by the message only; 4.x puts an error class before the same
   * words.
   */
  private static final Pattern CANCELLED = Pattern.compile("Job \\d+ cancelled");

  private SparkJobs() {}

  /** Prepares a closure for executors as Spark does: drops what it captured and does not use. */
  public static <F> F clean(SparkContext context, F closure) {
    return context.clean(closure, /* checkSerializable= */ true);
  }

  /** Unregisters an accumulator now instead of at a garbage collection. */
  public static void forgetAccumulator(long id) {
    AccumulatorContext.remove(id);
  }

  /** Whether a job failed because it was cancelled; such a job must not run again. */
  public static boolean isCancellation(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (cause instanceof InterruptedException
          || (cause instanceof SparkException
              && message != null
              && CANCELLED.matcher(message).find())) {
        return true;
      }
    }
    return false;
  }

  /** Whether a job on {@code rdd} runs under a resource profile that is not Spark's default. */
  public static boolean hasResourceProfile(RDD<?> rdd) {
    Set<RDD<?>> seen = new HashSet<>();
    Deque<RDD<?>> left = new ArrayDeque<>(List.of(rdd));
    while (!left.isEmpty()) {
      RDD<?> next = left.pop();
      if (next.getResourceProfile() != null) {
        return true;
      }
      for (Dependency<?> one : Scala.each(next.dependencies())) {
        // behind a shuffle there are other stages
        if (one instanceof NarrowDependency<?> narrow && seen.add(narrow.rdd())) {
          left.push(narrow.rdd());
        }
      }
    }
    return false;
  }

  /** Whether recomputing a lost partition may yield other rows, not only another order. */
  public static boolean isIndeterminate(RDD<?> rdd) {
    return rdd.outputDeterministicLevel().equals(DeterministicLevel.INDETERMINATE());
  }
}
