package io.sparkata.scheduling;

import io.sparkata.config.OnError;
import io.sparkata.config.PassThrough;
import io.sparkata.plugin.AtaRuntime;
import io.sparkata.spark.SparkInternals;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocated rounds while they make sense and work, MLlib's own expression from then on. Completed
 * updates stand: the switch happens between batches, never by starting a training again.
 */
final class GuardedBatches implements BatchSource {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedBatches.class);
  private static final int LEAST_SAMPLES_PER_EXECUTOR = 32;

  private final Training training;
  private final AtaRuntime runtime;
  private final MllibBatches mllib;
  private AtaScheduler allocated;

  /**
   * @param allocated closed when MLlib takes over, or by {@link #close}
   */
  GuardedBatches(Training training, AtaRuntime runtime, Supplier<AtaScheduler> allocated) {
    this.training = training;
    this.runtime = runtime;
    this.mllib = new MllibBatches(training);
    try {
      this.allocated = allocated.get();
    } catch (Exception | LinkageError error) {
      giveUp("start", error);
    }
  }

  @Override
  public long countRows() {
    if (allocated != null && isAuto() && hasOneExecutor()) {
      long rows = mllib.countRows(); // in a young application, executors register meanwhile
      if (hasOneExecutor()) {
        passThrough("there is one executor only");
        return rows;
      }
    }
    if (allocated != null) {
      try {
        long rows = allocated.countRows();
        int executors = runtime.executors().size();
        if (isAuto()
            && rows > 0
            && rows * training.fraction() < (double) LEAST_SAMPLES_PER_EXECUTOR * executors) {
          passThrough(
              "a round of "
                  + rows
                  + " rows x "
                  + training.fraction()
                  + " is too small to share out among "
                  + executors
                  + " executors");
        }
        return rows;
      } catch (NoRoomException noRoom) {
        passThrough(noRoom.getMessage());
      } catch (Exception | LinkageError error) {
        giveUp("pack the data", error);
      }
    }
    return mllib.countRows();
  }

  @Override
  public BatchSum sum(int iteration, Vector weights) {
    if (allocated != null) {
      try {
        return allocated.sum(iteration, weights);
      } catch (Exception | LinkageError error) {
        giveUp("run round " + iteration, error);
      }
    }
    return mllib.sum(iteration, weights);
  }

  @Override
  public void close() {
    if (allocated != null) {
      allocated.close();
      allocated = null;
    }
    mllib.close();
  }

  private boolean isAuto() {
    return runtime.conf().passThrough() == PassThrough.AUTO;
  }

  private boolean hasOneExecutor() {
    return runtime.executors().size() <= 1;
  }

  private void passThrough(String reason) {
    runtime.passedThrough(reason);
    close();
  }

  private void giveUp(String step, Throwable error) {
    close();
    SparkContext context = training.data().context();
    if (context.isStopped()
        || Thread.currentThread().isInterrupted()
        || SparkInternals.isCancellation(error)
        || runtime.conf().onError() == OnError.FAIL) {
      throw GuardedBatches.<RuntimeException>unchecked(error);
    }
    runtime.counters().fallbacks.incrementAndGet();
    LOG.warn(
        "Spark ATA: cannot {} ({}); this training goes on by MLlib's own path from here. Set"
            + " spark.ata.onError=fail to have the exception instead, or spark.ata.enabled=false",
        step,
        error.getMessage(),
        error);
  }

  /** Spark throws SparkException, which is checked, from methods that do not declare it. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E unchecked(Throwable error) throws E {
    throw (E) error;
  }
}
