package io.sparkata.objective;

import io.sparkata.blocks.NoRoomException;
import io.sparkata.blocks.RoomWait;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.config.AtaConf;
import io.sparkata.gate.Trouble;
import io.sparkata.observation.ObservedSums;
import io.sparkata.report.TrainingReport;
import io.sparkata.rounds.RoundLog;
import io.sparkata.routing.Departures;
import io.sparkata.routing.Eligibility;
import io.sparkata.routing.Eligibility.Leave;
import io.sparkata.routing.EligibilityRules;
import io.sparkata.routing.Reason;
import io.sparkata.routing.StepFailure;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.spark.rdd.RDD;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The evaluations of one persisted RDD, from the first until Spark unpersists it: allocated rounds
 * while they are eligible and succeed, Spark's own sum from then on. Thread-safe: evaluations run
 * one after the other.
 */
final class PersistedSums {
  private static final Logger LOG = LoggerFactory.getLogger(PersistedSums.class);

  private final AtaRuntime runtime;
  private final AtaConf conf;
  private final EligibilityRules rules;
  private final TrainingReport report;
  private final ReentrantLock lock = new ReentrantLock();
  private final Optional<ObservedSums> observed;
  private final RoomWait room;
  private Optional<AllocatedSums> allocated = Optional.empty();
  private volatile boolean isLeft;
  private volatile boolean isEnded;

  /**
   * @param conf of sums that no GPU computes
   * @param data the RDD
   * @param room when to try again if there is none
   */
  PersistedSums(AtaRuntime runtime, AtaConf conf, RDD<Object> data, RoomWait room) {
    this.room = room;
    this.runtime = runtime;
    this.conf = conf;
    this.rules = new EligibilityRules(conf);
    this.report = runtime.reporter().begin(runtime.nextTraining(), RoundLog.LBFGS, data);
    this.observed = runtime.observer().map(observer -> observer.open(report, data.id()));
  }

  /** What should be asked from now on: those anew, if they were left for memory and it may fit. */
  PersistedSums current(RDD<Object> data) {
    return isLeft && room.isOver() ? new PersistedSums(runtime, conf, data, room) : this;
  }

  /**
   * One evaluation.
   *
   * @param bySpark Spark's own sum, not routed
   * @return null if Spark has to sum
   */
  Object evaluate(RDD<Object> data, SumCall call, Supplier<Object> bySpark) {
    if (observed.isPresent()) {
      return observed.get().evaluate(bySpark);
    }
    if (isLeft) {
      return null;
    }
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException interrupted) {
      throw Trouble.<RuntimeException>unchecked(interrupted); // as Spark's own job would
    }
    try {
      if (isLeft || isEnded) {
        return null;
      }
      return allocated.isPresent() ? next(data, call, bySpark) : first(data, call, bySpark);
    } finally {
      lock.unlock();
      if (isEnded) {
        closeUnlessBusy(/* areBlocksRemoved= */ false); // the evaluation may have packed some again
      }
    }
  }

  private Object first(RDD<Object> data, SumCall call, Supplier<Object> bySpark) {
    room.end();
    try {
      if (isLeft(lookAt(data))) {
        return null;
      }
      long start = System.nanoTime();
      AllocatedSums opened = new AllocatedSums(data, runtime, conf, report);
      allocated = Optional.of(opened);
      Object sum = opened.first(data, call);
      opened
          .refusal()
          .ifPresentOrElse(
              noRoom -> leave(noRoom, start),
              () ->
                  follow(
                      rules.ofElements(
                          opened.elements(), runtime.clusterWithoutGpus().live().size())));
      return sum; // it is right even if the later ones are left to Spark
    } catch (Throwable error) {
      return giveUp("pack the data", error, data, bySpark);
    }
  }

  private Object next(RDD<Object> data, SumCall call, Supplier<Object> bySpark) {
    AllocatedSums sums = allocated.orElseThrow();
    try {
      return sums.next(data, call);
    } catch (NoRoomException noRoom) { // for blocks that were lost
      leave(noRoom, System.nanoTime());
      return null;
    } catch (Throwable error) {
      return giveUp("run round " + sums.rounds(), error, data, bySpark);
    }
  }

  private Eligibility lookAt(RDD<Object> data) {
    return runtime
        .misfit()
        .map(rules::ofMisfit)
        .orElseGet(
            () -> {
              Eligibility ofData = rules.ofData(data);
              return ofData instanceof Eligibility.Allocate
                  ? rules.ofExecutors(runtime.clusterWithoutGpus().live())
                  : ofData;
            });
  }

  /** Leaves the rest to Spark, if a reason says so. */
  private boolean isLeft(Eligibility eligibility) {
    if (!Departures.isLeft(eligibility, runtime, runtime.evaluations(), report)) {
      return false;
    }
    isLeft = !(eligibility instanceof Leave leave && leave.reason() == Reason.ONE_EXECUTOR);
    return true;
  }

  private void leave(NoRoomException noRoom, long start) {
    room.begin(System.nanoTime() - start);
    follow(rules.ofMemory(noRoom.getMessage()));
  }

  private void follow(Eligibility eligibility) {
    if (isLeft(eligibility)) {
      report.handOver();
      close(/* areBlocksRemoved= */ false);
    }
  }

  /** The sum by Spark, which also does the later ones; the failure is ours if Spark succeeds. */
  private Object giveUp(String step, Throwable error, RDD<Object> data, Supplier<Object> bySpark) {
    closeSums(/* areBlocksRemoved= */ false);
    StepFailure failure;
    Object sum;
    try {
      Trouble.rethrowFatal(error);
      failure = StepFailure.of(step, error, data.context(), conf);
      isLeft = true;
      sum = sumBySpark(bySpark, failure);
    } catch (Throwable ofTheTraining) {
      report.failed(ofTheTraining);
      throw ofTheTraining;
    }
    report.handOver(failure.toString());
    report.end();
    runtime.evaluations().fallbacks.incrementAndGet();
    LOG.warn(
        "Spark ATA: cannot {}; this training goes on by Spark's own sums from here. Set"
            + " spark.ata.onError=fail to have the exception instead, or spark.ata.enabled=false",
        failure,
        failure.error());
    return sum;
  }

  private static Object sumBySpark(Supplier<Object> bySpark, StepFailure failure) {
    try {
      return bySpark.get();
    } catch (Throwable again) {
      LOG.info("Spark ATA: cannot {}; nor can Spark, whose exception follows", failure);
      throw again;
    }
  }

  /**
   * Ends the evaluations; one that runs is the last.
   *
   * @param areBlocksRemoved whether Spark has removed the blocks with the RDD, or will at the end
   */
  void end(boolean areBlocksRemoved) {
    observed.ifPresent(ObservedSums::end);
    isEnded = true;
    closeUnlessBusy(areBlocksRemoved);
  }

  /** The evaluation that runs, if there is one, looks at its end. */
  private void closeUnlessBusy(boolean areBlocksRemoved) {
    if (lock.tryLock()) {
      try {
        close(areBlocksRemoved);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Reports first: closing takes a while, in which Spark's listener bus may stop. */
  private void close(boolean areBlocksRemoved) {
    if (allocated.isPresent()) {
      report.end();
      closeSums(areBlocksRemoved);
    }
  }

  private void closeSums(boolean areBlocksRemoved) {
    Optional<AllocatedSums> open = allocated;
    allocated = Optional.empty();
    open.ifPresent(sums -> sums.close(areBlocksRemoved));
  }
}
