package io.sparkata.cluster;

import io.sparkata.spark.SparkExecutors;
import io.sparkata.spark.SparkExecutors.DynamicAllocation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests executors under dynamic allocation. Spark requests executors while tasks are pending,
 * and MLlib's jobs have one task per partition, so some are. A round has one task per slot, so none
 * is ever pending; Spark would not replace lost executors and would not add any.
 *
 * <p>This class requests as many executors as were lost while they had rows and, if rounds take
 * long, twice as many as there are, but never more than MLlib's tasks would. It returns to Spark's
 * own target as soon as they are there, and at the end. Driver only, one thread.
 */
public final class ExecutorDemand implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorDemand.class);

  /** Time between two checks of the executors. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Spark's own target may have replaced the request. */
  private static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** MLlib's iterations take at least this multiple of our rounds. */
  private static final double TIMES_MLLIB = 2;

  /**
   * The bounds of the demand.
   *
   * @param partitions MLlib's tasks
   * @param ratio share of the slots for all of them that is requested
   * @param backlogSeconds how long tasks wait before Spark requests executors
   * @param most executors of the application
   */
  record Limits(int partitions, double ratio, double backlogSeconds, int most) {
    static Limits of(SparkConf conf, int partitions) {
      return new Limits(
          partitions,
          conf.getDouble("spark.dynamicAllocation.executorAllocationRatio", 1),
          conf.getTimeAsSeconds("spark.dynamicAllocation.schedulerBacklogTimeout", "1s"),
          conf.getInt("spark.dynamicAllocation.maxExecutors", Integer.MAX_VALUE));
    }
  }

  private final Optional<DynamicAllocation> allocation;
  private final Limits limits;
  private final LongSupplier nanoClock;
  private long lastLook;
  private Members lastPresent = Members.NONE;
  private List<String> lastWithRows = List.of();
  private int missing;
  private int requested;
  private long lastRequest;

  /**
   * @param allocation empty without dynamic allocation: nothing is requested
   */
  ExecutorDemand(Optional<DynamicAllocation> allocation, Limits limits, LongSupplier nanoClock) {
    this.allocation = allocation;
    this.limits = limits;
    this.nanoClock = nanoClock;
    this.lastLook = nanoClock.getAsLong() - LOOK_NANOS;
  }

  /** For a training on data of so many partitions. */
  public static ExecutorDemand of(SparkContext context, int partitions) {
    return new ExecutorDemand(
        SparkExecutors.dynamicAllocation(context),
        Limits.of(context.getConf(), partitions),
        System::nanoTime);
  }

  /** Requests nothing, as without dynamic allocation. */
  public static ExecutorDemand none() {
    return new ExecutorDemand(
        Optional.empty(), new Limits(0, 1, 1, Integer.MAX_VALUE), System::nanoTime);
  }

  /**
   * Checks the executors before the rows are packed: all will have rows.
   *
   * @param staying as for {@link #observe}
   */
  public void begin(Supplier<List<Executor>> staying) {
    if (allocation.isPresent()) {
      lastPresent = Members.of(staying.get());
      lastWithRows = lastPresent.ids();
    }
  }

  /**
   * Receives a round; checks the executors at the first and then once a second.
   *
   * @param staying returns the live executors that Spark is not removing
   * @param members the executors that took part
   * @param roundSeconds what the round took
   */
  public void observe(Supplier<List<Executor>> staying, Members members, double roundSeconds) {
    long now = nanoClock.getAsLong();
    if (allocation.isEmpty() || now - lastLook < LOOK_NANOS) {
      return;
    }
    lastLook = now;
    Members present = lastPresent.next(staying.get());
    int wanted = wanted(present, members, roundSeconds);
    if (wanted <= present.size()) {
      goBack();
    } else if (wanted != requested || now - lastRequest >= REPEAT_NANOS) {
      lastRequest = now;
      ask(present.size(), wanted);
    }
  }

  private int wanted(Members present, Members members, double roundSeconds) {
    int slots = present.executors().stream().mapToInt(Executor::slots).max().orElse(1);
    if (!lastPresent.isEmpty()) {
      missing += countMissing(lastWithRows, present);
      missing = Math.max(0, missing - countMissing(present.ids(), lastPresent));
    }
    lastPresent = present;
    lastWithRows = members.ids().stream().filter(id -> present.position(id) >= 0).toList();
    int more = missing;
    if (TIMES_MLLIB * roundSeconds >= limits.backlogSeconds) {
      more = Math.max(missing, present.size());
    }
    double forTasks = Math.ceil(limits.partitions * limits.ratio / slots);
    return (int) Math.min(Math.min(limits.most, forTasks), (double) present.size() + more);
  }

  private static int countMissing(List<String> ids, Members others) {
    return (int) ids.stream().filter(id -> others.position(id) < 0).count();
  }

  private void ask(int present, int wanted) {
    if (wanted != requested) {
      LOG.info("Spark ATA requests {} executors; there are {}", wanted, present);
    }
    requested = wanted;
    request(wanted);
  }

  private void goBack() {
    if (requested > 0) {
      requested = 0;
      request(0);
    }
  }

  /** Requests at least Spark's own target. Never throws: a failure here must not end a training. */
  private void request(int least) {
    try {
      allocation.ifPresent(own -> own.request(Math.max(least, own.target())));
    } catch (Exception refused) { // also what Scala does not declare
      LOG.debug("Spark ATA: cannot request executors", refused);
      if (refused instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Cancels what has not arrived; else Spark would replace executors that it removes. */
  @Override
  public void close() {
    goBack();
  }
}
