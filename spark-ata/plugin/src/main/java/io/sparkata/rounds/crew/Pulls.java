package io.sparkata.rounds.crew;

import io.sparkata.rounds.crew.PullMessages.Pulled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The micro-tasks of a {@link Crew}: who works on which, what counts for the open round, and what
 * the rest took. The crew guards it by its lock.
 */
final class Pulls {
  /** A member that was silent for so long may have left: it does so for the driver's silence. */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(CrewMember.SILENCE_SECONDS);

  private final Map<String, Integer> slots;
  private final Map<String, Flight> inFlight = new HashMap<>();
  private final Map<String, Integer> handedOut = new HashMap<>();
  private final Set<String> knowing = new HashSet<>(); // the round's share, as their answer shows
  private final Map<String, Long> droppedNanos = new HashMap<>();
  private List<Pulled> arrived = new ArrayList<>();
  private Map<String, byte[]> shares = Map.of();
  private long round;
  private long rowsLeft;
  private Pulled failure;

  /**
   * A micro-task that an executor works on.
   *
   * @param since when it was handed out
   * @param lastSign when the executor gave its last sign of life
   */
  private record Flight(long round, int number, long since, long lastSign) {
    boolean is(Pulled pulled) {
      return round == pulled.round() && number == pulled.number();
    }
  }

  /**
   * @param slots of the crew's executors, which all work on a micro-task
   */
  Pulls(Map<String, Integer> slots) {
    this.slots = slots;
  }

  /**
   * Opens a round.
   *
   * @param number that no other round of the crew has
   * @param ofExecutors a {@link MicroShare} as bytes for each executor that takes part
   * @param rows that end it
   */
  void open(long number, Map<String, byte[]> ofExecutors, long rows) {
    round = number;
    shares = ofExecutors;
    rowsLeft = rows;
    failure = null;
    handedOut.clear();
    knowing.clear();
    arrived.clear();
  }

  /** Ends the round: what is still on its way will be dropped. */
  void close() {
    shares = Map.of();
    arrived.forEach(this::drop);
    arrived.clear();
  }

  private boolean isOpen() {
    return rowsLeft > 0 && failure == null;
  }

  /**
   * Receives what a member brings, if it does.
   *
   * @return the question of the member
   */
  Object[] receive(Object[] message) {
    if (!Pulled.isIn(message)) {
      return message;
    }
    Pulled pulled = Pulled.of(message);
    if (pulled.round() == round) {
      knowing.add(pulled.executorId());
    }
    Flight flight = inFlight.get(pulled.executorId());
    if (flight == null || !flight.is(pulled)) { // it came before, or was abandoned
      return Pulled.questionIn(message);
    }
    inFlight.remove(pulled.executorId());
    if (shares.isEmpty() || pulled.round() != round || !isOpen()) {
      drop(pulled);
    } else if (pulled.failure() != null || pulled.rows() == 0) {
      failure = pulled;
      drop(pulled);
    } else {
      rowsLeft -= pulled.rows();
      arrived.add(pulled);
    }
    return Pulled.questionIn(message);
  }

  private void drop(Pulled pulled) {
    droppedNanos.merge(pulled.executorId(), pulled.nanos(), Long::sum);
  }

  /** The next micro-task of an executor that asks; null if it has none now. */
  Object[] next(String executorId, long now) {
    if (inFlight.containsKey(executorId)) { // its task has started again
      abandon(executorId, now);
    }
    byte[] share = shares.get(executorId);
    if (share == null || !isOpen()) {
      return null;
    }
    int number = handedOut.merge(executorId, 1, Integer::sum) - 1;
    inFlight.put(executorId, new Flight(round, number, now, now));
    boolean knows = knowing.remove(executorId); // until it asks without an answer
    return new PullMessages.Next(round, number, knows ? null : share).toArray();
  }

  /**
   * What has arrived for the round since the last call.
   *
   * @throws CrewTrouble if an executor could not read all rows, or was to end
   * @throws IllegalStateException if the work failed, so that it would fail again
   */
  List<Pulled> take() throws CrewTrouble {
    if (failure != null && failure.failure() == null) {
      throw new CrewTrouble("executor " + failure.executorId() + " did not read all its rows");
    }
    if (failure != null) {
      throw new IllegalStateException(
          "executor " + failure.executorId() + " failed: " + failure.failure());
    }
    List<Pulled> taken = arrived;
    arrived = new ArrayList<>();
    return taken;
  }

  boolean hasArrived() {
    return !arrived.isEmpty() || !isOpen();
  }

  boolean isEnough() {
    return rowsLeft <= 0;
  }

  /** Whether a member works now. */
  boolean isAnyoneBusy() {
    return !inFlight.isEmpty();
  }

  /** Whether a member works now that has a part in the round, perhaps still on another's. */
  boolean isWorkedOn() {
    return inFlight.keySet().stream().anyMatch(shares::containsKey);
  }

  /** Receives an executor's sign of life. */
  void heard(String executorId, long now) {
    inFlight.computeIfPresent(
        executorId, (id, one) -> new Flight(one.round, one.number, one.since, now));
  }

  /**
   * Forgets what lost and silent executors worked on.
   *
   * @throws CrewTrouble if no executor of the round is left
   */
  void keep(Set<String> live, long now) throws CrewTrouble {
    List.copyOf(inFlight.entrySet()).stream()
        .filter(
            one -> !live.contains(one.getKey()) || now - one.getValue().lastSign > SILENCE_NANOS)
        .forEach(one -> abandon(one.getKey(), now));
    if (shares.keySet().stream().noneMatch(live::contains)) {
      throw new CrewTrouble("all its executors were lost");
    }
  }

  private void abandon(String executorId, long now) {
    long nanos = now - inFlight.remove(executorId).since();
    droppedNanos.merge(executorId, nanos * slots.getOrDefault(executorId, 1), Long::sum);
  }

  /**
   * Nanoseconds of dropped work by executor, since the last call.
   *
   * @param isOfBusyToo whether what members still work on is dropped now
   */
  Map<String, Long> takeDropped(boolean isOfBusyToo, long now) {
    if (isOfBusyToo) {
      List.copyOf(inFlight.keySet()).forEach(one -> abandon(one, now));
    }
    Map<String, Long> taken = Map.copyOf(droppedNanos);
    droppedNanos.clear();
    return taken;
  }
}
