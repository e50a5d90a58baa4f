package io.sparkata.training;

import io.sparkata.blocks.NoRoomException;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.AtaRuntime.Executor;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.GpuRequiredException;
import io.sparkata.config.GpuUse;
import io.sparkata.rounds.AtaScheduler;
import io.sparkata.rounds.BatchSum;
import io.sparkata.spark.SparkInternals;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocated rounds while they make sense and work, MLlib's own expression from then on. Completed
 * updates stand: the switch happens between batches, never by starting a training again.
 *
 * <p>Trouble is Spark ATA's own, and worth a warning, if MLlib's path then yields a batch. If MLlib
 * fails as well, as it does for a user's faulty gradient or row, its exception says all.
 */
final class GuardedBatches implements BatchSource {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedBatches.class);
  private static final int LEAST_SAMPLES_PER_EXECUTOR = 32;
  private static final long MOST_ROWS_PACKED_IN_VAIN = 10_000;

  private final Training training;
  private final AtaRuntime runtime;
  private final MllibBatches mllib;
  private AtaScheduler allocated;
  private Trouble trouble;

  /** What Spark ATA could not do, until MLlib has tried it. */
  private record Trouble(String step, Throwable error) {
    /** Spark puts a stack trace into messages: the first line will do. */
    @Override
    public String toString() {
      String message = error.getMessage() == null ? error.toString() : error.getMessage();
      return step + " (" + message.lines().findFirst().orElse("") + ")";
    }
  }

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
    if (asks(this::mayPackInVain)) {
      long rows = byMllib(mllib::countRows); // in a young application, executors register meanwhile
      asks(() -> passesThrough(rows));
      if (allocated == null) {
        return rows;
      }
    }
    if (allocated != null) {
      try {
        long rows = allocated.countRows();
        asks(() -> passesThrough(rows));
        return rows;
      } catch (NoRoomException noRoom) {
        leaveToMllib(noRoom);
      } catch (Exception | LinkageError error) {
        giveUp("pack the data", error);
      }
    }
    return byMllib(mllib::countRows);
  }

  @Override
  public BatchSum sum(int iteration, Vector weights) {
    if (allocated != null) {
      try {
        return allocated.sum(iteration, weights);
      } catch (NoRoomException noRoom) { // for blocks that were lost
        leaveToMllib(noRoom);
      } catch (Exception | LinkageError error) {
        giveUp("run round " + iteration, error);
      }
    }
    BatchSum sum = byMllib(() -> mllib.sum(iteration, weights));
    tellTrouble();
    return sum;
  }

  private void leaveToMllib(NoRoomException noRoom) {
    if (runtime.conf().gpu() == GpuUse.REQUIRED) {
      throw new GpuRequiredException(noRoom.getMessage());
    }
    runtime.leftToMllib(noRoom.getMessage());
    close();
  }

  private <T> T byMllib(Supplier<T> step) {
    try {
      return step.get();
    } catch (Exception | LinkageError error) {
      if (trouble != null) {
        LOG.info("Spark ATA: cannot {}; nor can MLlib, whose exception follows", trouble);
      }
      throw error;
    }
  }

  private void tellTrouble() {
    if (trouble != null) {
      runtime.counters().fallbacks.incrementAndGet();
      LOG.warn(
          "Spark ATA: cannot {}; this training goes on by MLlib's own path from here. Set"
              + " spark.ata.onError=fail to have the exception instead, or spark.ata.enabled=false",
          trouble,
          trouble.error);
      trouble = null;
    }
  }

  @Override
  public void close() {
    if (allocated != null) {
      allocated.close();
      allocated = null;
    }
    mllib.close();
  }

  /** The answer to what only passThrough=auto asks; where it cannot be told, MLlib trains. */
  private boolean asks(BooleanSupplier question) {
    if (allocated == null || !runtime.conf().passesThrough()) {
      return false;
    }
    try {
      return question.getAsBoolean();
    } catch (Exception | LinkageError error) {
      giveUp("look at the executors", error);
      return false;
    }
  }

  /** Without a GPU: MLlib would not use that one. */
  private boolean hasOneExecutor() {
    List<Executor> executors = runtime.executors();
    return executors.size() <= 1
        && executors.stream().noneMatch(executor -> executor.device() == Device.GPU);
  }

  /** Whether packing may be in vain: for one executor, or many rows that are still too few. */
  private boolean mayPackInVain() {
    return hasOneExecutor() || leastSamples() / training.fraction() > MOST_ROWS_PACKED_IN_VAIN;
  }

  private double leastSamples() {
    return (double) LEAST_SAMPLES_PER_EXECUTOR * runtime.executors().size();
  }

  private boolean passesThrough(long rows) {
    if (hasOneExecutor()) {
      passThrough("there is one executor only");
    } else if (rows > 0 && rows * training.fraction() < leastSamples()) {
      passThrough(
          "a round of "
              + rows
              + " rows x "
              + training.fraction()
              + " is too small to share out among "
              + runtime.executors().size()
              + " executors");
    }
    return allocated == null;
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
        || runtime.conf().failsOnTrouble()) {
      throw GuardedBatches.<RuntimeException>unchecked(error);
    }
    trouble = new Trouble(step, error);
  }

  /** Spark throws SparkException, which is checked, from methods that do not declare it. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E unchecked(Throwable error) throws E {
    throw (E) error;
  }
}
