package io.sparkata.ui;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.sparkata.events.Rounds;
import io.sparkata.events.RoundsCompleted;
import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingLeft;
import io.sparkata.events.TrainingStarted;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.util.kvstore.KVIndex;

/**
 * A training as far as events describe it; what is not known yet is null.
 *
 * @param id number of the training
 * @param rounds so far
 * @param byMessage how many of them were no Spark jobs
 * @param micros of these rounds
 * @param lastRound the end of the last of them, in milliseconds since 1970; 0 for none
 * @param changes of executors' speeds, once it has ended
 */
public record StoredTraining(
    @JsonProperty long id,
    TrainingStarted started,
    int rounds,
    int byMessage,
    long micros,
    long lastRound,
    TrainingLeft left,
    TrainingEnded ended,
    List<SpeedChange> changes) {

  /** The state of one that has not ended. */
  static final String RUNNING = "running";

  /** Nothing is known yet but its number. */
  static StoredTraining of(long id) {
    return new StoredTraining(id, null, 0, 0, 0, 0, null, null, List.of());
  }

  /** The key in Spark's store. */
  @KVIndex
  @JsonIgnore
  public long key() {
    return id;
  }

  StoredTraining with(TrainingStarted event) {
    return new StoredTraining(
        id, event, rounds, byMessage, micros, lastRound, /* left= */ null, ended, changes);
  }

  StoredTraining with(RoundsCompleted event) {
    return new StoredTraining(
        id,
        started,
        rounds + event.rounds().stream().mapToInt(Rounds::count).sum(),
        byMessage + event.rounds().stream().mapToInt(Rounds::byMessage).sum(),
        micros + event.rounds().stream().mapToLong(Rounds::micros).sum(),
        event.time(),
        left,
        ended,
        changes);
  }

  StoredTraining with(TrainingLeft event) {
    return new StoredTraining(
        id, started, rounds, byMessage, micros, lastRound, event, ended, changes);
  }

  StoredTraining with(TrainingEnded event, List<SpeedChange> atItsEnd) {
    return new StoredTraining(
        id, started, rounds, byMessage, micros, lastRound, left, event, atItsEnd);
  }

  /** The fit or the method, and the caller's line. */
  String name() {
    return started != null ? started.name() : left != null ? left.name() : "";
  }

  String kind() {
    return started != null ? started.kind() : left != null ? left.kind() : "";
  }

  String policy() {
    return started != null ? started.policy() : "";
  }

  /** In milliseconds since 1970; 0 if unknown. */
  long startTime() {
    return started != null ? started.time() : left != null ? left.time() : 0;
  }

  /**
   * In milliseconds since 1970; empty while it runs. Sums of L-BFGS stay open until Spark
   * unpersists their RDD, which may be long after the last round.
   */
  OptionalLong endTime() {
    if (ended == null) {
      return OptionalLong.empty();
    }
    Outcome outcome = ended.outcome();
    boolean isByRounds =
        (outcome == Outcome.ALLOCATED || outcome == Outcome.OBSERVED) && lastRound > 0;
    return OptionalLong.of(isByRounds ? lastRound : ended.time());
  }

  /** One or two words. */
  String state() {
    if (left != null && allRounds() == 0) {
      return "left to Spark";
    }
    if (ended == null) {
      return RUNNING;
    }
    return switch (ended.outcome()) {
      case ALLOCATED -> "done";
      case HANDED_OVER -> "Spark ran the rest";
      case OBSERVED -> "observed";
      case FAILED -> "failed";
    };
  }

  boolean isRunning() {
    return state().equals(RUNNING);
  }

  /** In rounds. */
  double seconds() {
    return ended != null ? ended.seconds() : micros / 1e6;
  }

  int allRounds() {
    return ended != null ? ended.rounds() : rounds;
  }
}
