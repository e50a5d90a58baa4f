package io.sparkata.routing;

import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.GpuRequiredException;
import io.sparkata.config.AtaConf;
import io.sparkata.config.GpuUse;
import io.sparkata.routing.Eligibility.Allocate;
import io.sparkata.routing.Eligibility.Leave;
import io.sparkata.routing.Eligibility.Refuse;
import io.sparkata.spark.KryoClasses;
import io.sparkata.spark.SparkJobs;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;

/**
 * Decides by the call, the rows and the memory whether a training's rounds are allocated. No other
 * class decides that. Driver only.
 */
public record EligibilityRules(AtaConf conf) {
  private static final int LEAST_SAMPLES_PER_EXECUTOR = 32;
  private static final int LEAST_ELEMENTS_PER_EXECUTOR = 2;
  private static final long MOST_ROWS_PACKED_IN_VAIN = 10_000;

  /** Decides by the call's arguments and the configuration, before any job. */
  public Eligibility ofCall(RDD<?> data, double fraction) {
    if (!(fraction > 0 && fraction <= 1)) {
      return decide(Reason.FRACTION, "a fraction of " + fraction + " is not in (0, 1]");
    }
    return ofData(data);
  }

  /** Decides by the data and the configuration, before any job. */
  public Eligibility ofData(RDD<?> data) {
    if (KryoClasses.areRefused(data.context().getConf())) {
      return decide(
          Reason.KRYO_REGISTRATION,
          "spark.kryo.registrationRequired=true, and spark.kryo.registrator does not name "
              + KryoClasses.REGISTRATOR);
    }
    if (data.getNumPartitions() == 0) {
      return decide(Reason.NO_PARTITIONS, "the data have no partitions");
    }
    if (SparkJobs.hasResourceProfile(data)) {
      return decide(Reason.RESOURCE_PROFILE, "the data ask for a resource profile of their own");
    }
    if (data.context().isLocal()) {
      return decide(Reason.LOCAL_MASTER, "the master is local: there is one executor only");
    }
    return new Allocate();
  }

  /**
   * Decides for a live executor that cannot take part.
   *
   * @param cause a clause
   */
  public Eligibility ofMisfit(String cause) {
    return decide(Reason.EXECUTOR_MISFIT, cause);
  }

  /** Decides by the live executors and the number of rows. */
  public Eligibility ofRows(long rows, double fraction, List<Executor> executors) {
    if (isOneExecutor(executors)) {
      return decide(Reason.ONE_EXECUTOR, "there is one executor only");
    }
    if (rows > 0 && rows * fraction < leastSamples(executors)) {
      return decide(
          Reason.SMALL_ROUND,
          "a round of "
              + rows
              + " rows x "
              + fraction
              + " is too small to share out among "
              + executors.size()
              + " executors");
    }
    return new Allocate();
  }

  /** Decides by the live executors, before the elements of a persisted RDD are packed. */
  public Eligibility ofExecutors(List<Executor> executors) {
    return executors.size() <= 1
        ? decide(Reason.ONE_EXECUTOR, "there is one executor only")
        : new Allocate();
  }

  /**
   * Decides for a sum over data that are not persisted as objects in memory.
   *
   * @param level at which they are persisted, if at all
   */
  public Eligibility ofUnpersisted(StorageLevel level) {
    String how =
        level.isValid() ? "persisted as " + level.description() + ", not" : "not persisted";
    return decide(Reason.NOT_PERSISTED, "the data are " + how + " as objects in memory");
  }

  /** Decides by the number of elements of a persisted RDD. */
  public Eligibility ofElements(long elements, int executors) {
    return elements < (long) LEAST_ELEMENTS_PER_EXECUTOR * executors
        ? decide(
            Reason.FEW_ELEMENTS,
            elements + " elements are too few to share out among " + executors + " executors")
        : new Allocate();
  }

  /**
   * Decides for packed rows that do not fit into memory.
   *
   * @param text what does not fit, a clause
   */
  public Eligibility ofMemory(String text) {
    return decide(Reason.NO_MEMORY, text);
  }

  /**
   * Whether to count the rows before packing them. Packing would be in vain with one executor, or
   * if many rows are still too few for allocation.
   */
  public boolean countsFirst(double fraction, List<Executor> executors) {
    return conf.passesThrough()
        && (isOneExecutor(executors)
            || leastSamples(executors) / fraction > MOST_ROWS_PACKED_IN_VAIN);
  }

  /** Whether there is one executor and no GPU, which MLlib would not use. */
  private static boolean isOneExecutor(List<Executor> executors) {
    return executors.size() <= 1
        && executors.stream().noneMatch(executor -> executor.device() == Device.GPU);
  }

  private static double leastSamples(List<Executor> executors) {
    return (double) LEAST_SAMPLES_PER_EXECUTOR * executors.size();
  }

  private Eligibility decide(Reason reason, String text) {
    return switch (reason.kind()) {
      case NO_GAIN, NO_GAIN_OF_SUMS ->
          conf.passesThrough() ? new Leave(reason, text) : new Allocate();
      case ARGUMENT, OTHER -> new Leave(reason, text);
      case UNSUPPORTED ->
          conf.gpu() == GpuUse.REQUIRED
              ? new Refuse(new GpuRequiredException(text))
              : new Leave(reason, text);
      case MISCONFIGURED ->
          conf.failsOnTrouble()
              ? new Refuse(
                  new IllegalStateException(
                      "Spark ATA cannot work: " + text + ". " + reason.remedy()))
              : new Leave(reason, text);
    };
  }
}
