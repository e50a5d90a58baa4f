package io.sparkata.cluster;

import io.sparkata.cluster.AtaRuntime.Executor;
import io.sparkata.spark.SparkInternals;
import io.sparkata.spark.SparkInternals.DynamicAllocation;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for executors where Spark allocates them dynamically, which it does while tasks wait for a
 * slot. MLlib's wait: there is one for each partition. A round has a task for each slot that there
 * is, so that none waits, lost executors would never be replaced, and a training would end on those
 * it began with.
 *
 * <p>So it asks for as many as were lost while they had rows, and, where rounds take long, for
 * twice as many as there are; for no more than MLlib's tasks would. What is asked for goes back to
 * Spark's own target as soon as they are there, and at the end. Driver only, one thread.
 */
public final class ExecutorDemand implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorDemand.class);

  /** Between two looks at who is there. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Spark's own target may have taken the place of what was asked for. */
  private static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** MLlib's iterations take at least so many times as long as our rounds. */
  private static final double TIMES_MLLIB = 2;

  /**
   * What bounds the demand.
   *
   * @param partitions MLlib's tasks
   * @param ratio of the slots for all of them that are to be asked for
   * @param backlogSeconds how long tasks wait before Spark asks for executors
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
  private Set<String> lastPresent = Set.of();
  private Set<String> lastServing = Set.of();
  private int missing;
  private int asked;
  private long lastRequest;

  /**
   * @param allocation empty where executors are not allocated dynamically: nothing is asked for
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
        SparkInternals.dynamicAllocation(context),
        Limits.of(context.getConf(), partitions),
        System::nanoTime);
  }

  /**
   * Sees who is there before the rows are packed: all of them will have some.
   *
   * @param present as for {@link #observe}
   */
  public void begin(Supplier<List<Executor>> present) {
    if (allocation.isPresent()) {
      lastPresent = ids(present.get());
      lastServing = lastPresent;
    }
  }

  /**
   * Takes in a round; looks around at the first and then once a second.
   *
   * @param present asked for the executors that live and are not about to leave
   * @param serving ids of those that had rows
   * @param roundSeconds what the round's job took
   */
  public void observe(
      Supplier<List<Executor>> present, Supplier<Collection<String>> serving, double roundSeconds) {
    long now = nanoClock.getAsLong();
    if (allocation.isEmpty() || now - lastLook < LOOK_NANOS) {
      return;
    }
    lastLook = now;
    List<Executor> executors = present.get();
    int wanted = wanted(executors, serving.get(), roundSeconds);
    if (wanted <= executors.size()) {
      goBack();
    } else if (wanted != asked || now - lastRequest >= REPEAT_NANOS) {
      lastRequest = now;
      ask(executors.size(), wanted);
    }
  }

  private int wanted(List<Executor> executors, Collection<String> serving, double roundSeconds) {
    Set<String> present = ids(executors);
    int slots = executors.stream().mapToInt(Executor::slots).max().orElse(1);
    missing += countMissing(lastServing, present);
    missing = Math.max(0, missing - countMissing(present, lastPresent));
    lastPresent = present;
    lastServing = new HashSet<>(serving);
    lastServing.retainAll(present);
    int more = missing;
    if (TIMES_MLLIB * roundSeconds >= limits.backlogSeconds) {
      more = Math.max(missing, present.size());
    }
    double forTasks = Math.ceil(limits.partitions * limits.ratio / slots);
    return (int) Math.min(Math.min(limits.most, forTasks), (double) present.size() + more);
  }

  private static Set<String> ids(List<Executor> executors) {
    return executors.stream().map(Executor::id).collect(Collectors.toSet());
  }

  /** Those of {@code some} who are not among {@code others}; none at the first look. */
  private int countMissing(Set<String> some, Set<String> others) {
    return lastPresent.isEmpty()
        ? 0
        : (int) some.stream().filter(one -> !others.contains(one)).count();
  }

  private void ask(int present, int wanted) {
    if (wanted != asked) {
      LOG.info("Spark ATA asks for {} executors; there are {}", wanted, present);
    }
    asked = wanted;
    request(wanted);
  }

  private void goBack() {
    if (asked > 0) {
      asked = 0;
      request(0);
    }
  }

  /** At least what Spark itself wants; trouble with that must not cost the user a training. */
  private void request(int least) {
    try {
      allocation.ifPresent(own -> own.request(Math.max(least, own.target())));
    } catch (Exception refused) { // also what Scala does not declare
      LOG.debug("Spark ATA: executors were not asked for", refused);
      if (refused instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Gives back what has not come; else Spark would replace executors that it lets go. */
  @Override
  public void close() {
    goBack();
  }
}
