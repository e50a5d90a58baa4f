package io.sparkata.training;

import io.sparkata.blocks.NoRoomException;
import io.sparkata.blocks.RoomWait;
import io.sparkata.cluster.Executor;
import io.sparkata.gate.Trouble;
import io.sparkata.rounds.RoundLog;
import io.sparkata.routing.Departures;
import io.sparkata.routing.Eligibility;
import io.sparkata.routing.EligibilityRules;
import io.sparkata.routing.StepFailure;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.mllib.linalg.Vector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs allocated rounds while they are eligible and succeed, MLlib's own expression from then on;
 * where only memory is short, until the rows fit again. Completed updates stand: a switch happens
 * between batches and never restarts a training.
 *
 * <p>A failure is Spark ATA's own, and a warning is logged, if MLlib's path then yields a batch. If
 * MLlib fails too, for example because of a user's faulty gradient or row, its exception is thrown
 * without a warning of ours.
 */
final class SwitchingBatches implements BatchSource {
  private static final Logger LOG = LoggerFactory.getLogger(SwitchingBatches.class);

  private final TrainingCall call;
  private final RoundLog log;
  private final EligibilityRules rules;
  private final MllibBatches mllib;
  private final RoomWait room = new RoomWait(System::nanoTime);
  private Optional<AllocatedBatches> allocated = Optional.empty();
  private boolean isMllibs;
  private Optional<StepFailure> failure = Optional.empty();

  /** Packs the rows at {@link #countRows}; what it holds is closed when MLlib takes over, too. */
  SwitchingBatches(TrainingCall call, RoundLog log) {
    this.call = call;
    this.log = log;
    this.rules = new EligibilityRules(call.runtime().conf());
    this.mllib = new MllibBatches(call.training());
  }

  @Override
  public long countRows() {
    if (look(() -> rules.countsFirst(call.training().fraction(), live())).orElse(false)) {
      long rows = byMllib(mllib::countRows); // meanwhile, executors of a new application register
      look(() -> ofRows(rows)).ifPresent(this::follow);
      if (isMllibs) {
        return rows;
      }
    }
    if (!isMllibs) {
      long start = System.nanoTime();
      try {
        AllocatedBatches packed = AllocatedBatches.pack(call, log);
        allocated = Optional.of(packed);
        long rows = packed.countRows();
        look(() -> ofRows(rows)).ifPresent(this::follow);
        return rows;
      } catch (NoRoomException noRoom) {
        leave(noRoom, start);
      } catch (Throwable error) {
        Trouble.rethrowFatal(error);
        giveUp("pack the data", error);
      }
    }
    return byMllib(mllib::countRows);
  }

  private Eligibility ofRows(long rows) {
    return rules.ofRows(rows, call.training().fraction(), live());
  }

  private List<Executor> live() {
    return call.runtime().cluster().live();
  }

  @Override
  public BatchSum sum(int iteration, Vector weights) {
    if (room.isOver()) {
      packAgain();
    }
    if (allocated.isPresent()) {
      try {
        return allocated.get().sum(iteration, weights);
      } catch (NoRoomException noRoom) { // for blocks that were lost
        leave(noRoom, System.nanoTime());
      } catch (Throwable error) {
        Trouble.rethrowFatal(error);
        giveUp("run round " + iteration, error);
      }
    }
    BatchSum sum = byMllib(() -> mllib.sum(iteration, weights));
    warnOfFailure();
    return sum;
  }

  private void packAgain() {
    room.end();
    long start = System.nanoTime();
    try {
      allocated = Optional.of(AllocatedBatches.pack(call, log));
      isMllibs = false;
      call.report().takeBack();
    } catch (NoRoomException noRoom) {
      leave(noRoom, start);
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      giveUp("pack the data again", error);
    }
  }

  /**
   * Leaves the next rounds to MLlib.
   *
   * @param start of the trial that found no room
   */
  private void leave(NoRoomException noRoom, long start) {
    room.begin(System.nanoTime() - start);
    follow(rules.ofMemory(noRoom.getMessage()));
  }

  /** The answer of a query of the executors; empty if it fails, and then MLlib trains. */
  private <T> Optional<T> look(Supplier<T> question) {
    try {
      return Optional.of(question.get());
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      giveUp("look at the executors", error);
      return Optional.empty();
    }
  }

  private void follow(Eligibility eligibility) {
    if (Departures.isLeft(eligibility, call.runtime(), call.runtime().counters(), call.report())) {
      call.report().handOver();
      close();
    }
  }

  private <T> T byMllib(Supplier<T> step) {
    try {
      return step.get();
    } catch (Throwable error) {
      failure.ifPresent(
          failed ->
              LOG.info("Spark ATA: cannot {}; nor can MLlib, whose exception follows", failed));
      throw error;
    }
  }

  private void warnOfFailure() {
    failure.ifPresent(
        failed -> {
          call.runtime().counters().fallbacks.incrementAndGet();
          LOG.warn(
              "Spark ATA: cannot {}; this training goes on by MLlib's own path from here. Set"
                  + " spark.ata.onError=fail to have the exception instead, or"
                  + " spark.ata.enabled=false",
              failed,
              failed.error());
        });
    failure = Optional.empty();
  }

  @Override
  public void close() {
    isMllibs = true;
    allocated.ifPresent(AllocatedBatches::close);
    allocated = Optional.empty();
    mllib.close();
  }

  private void giveUp(String step, Throwable error) {
    close();
    StepFailure ours = StepFailure.of(step, error, call.context(), call.runtime().conf());
    failure = Optional.of(ours);
    call.report().handOver(ours.toString());
  }
}
