package io.sparkata.rounds.crew;

import io.sparkata.rounds.crew.CrewTrouble.LostMember;
import io.sparkata.rounds.crew.CrewTrouble.SilentMember;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The driver's side of what a {@link Crew} and its members say to each other: who waits for an
 * answer, who has work, and what was brought. Knows neither Spark nor a clock: callers give the
 * time, in nanoseconds that only grow. The crew guards it by its lock.
 */
final class CrewProtocol {
  /** Without a round for so long, the slots are given back. */
  static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A member is answered "nothing yet" after so long; it leaves after 30 s without a word. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Looks between two signs of a member, about. */
  private static final int SIGN_LOOKS = 5;

  private final Map<String, Seat> seats = new HashMap<>();
  private final Map<String, Open> open = new HashMap<>();
  private final Set<String> come = new HashSet<>();
  private final Map<String, byte[][]> trials = new HashMap<>(); // of the round, not handed out yet
  private byte[] sharedByTrials;
  private final List<Brought> brought = new ArrayList<>();
  private final List<Brought> tried = new ArrayList<>();
  private final Pulls pulls;
  private long round;
  private boolean isRunning;
  private boolean isDismissed;
  private long idleSince;

  /** Looks in a row that found no word from any member. */
  private int looksWithoutWord;

  /** A member that waits for an answer. */
  private record Seat(Consumer<Object[]> answer, long since) {}

  /** A member that has work. */
  private static final class Open {
    private final long round;
    private final boolean isTrial;
    private final long sent;

    /** Looks in a row that found no word from it: a pause of the driver counts as one. */
    private int silentLooks;

    Open(long round, boolean isTrial, long sent) {
      this.round = round;
      this.isTrial = isTrial;
      this.sent = sent;
    }

    boolean isAwaited() {
      return !isTrial;
    }
  }

  /** What a member brought; {@code nanos} from sending its work to getting its answer. */
  record Brought(String executorId, CrewMessages.Done done, long nanos) {}

  /** What a message was. */
  enum Received {
    /** From a crew that is dismissed, or a sign of life. */
    NOTHING_NEW,
    /** A member has asked for work while others have some. */
    SEATED,
    /** The same, and no member has work of the round. */
    ALL_DONE
  }

  CrewProtocol(Pulls pulls, long now) {
    this.pulls = pulls;
    this.idleSince = now;
  }

  /**
   * Receives a member's message.
   *
   * @param answer takes the answer, now or later; once
   */
  Received receive(Object[] message, Consumer<Object[]> answer, long now) {
    if (isDismissed) {
      answer.accept(CrewMessages.Answer.DISMISSED);
      return Received.NOTHING_NEW;
    }
    CrewMessages.Question question = CrewMessages.Question.of(pulls.receive(message));
    looksWithoutWord = 0;
    String executorId = question.executorId();
    come.add(executorId);
    if (question.isSign()) {
      answer.accept(CrewMessages.Answer.NOTHING_YET);
      pulls.heard(executorId, now);
      if (open.containsKey(executorId)) {
        open.get(executorId).silentLooks = 0;
      }
      return Received.NOTHING_NEW;
    }
    Open work = open.remove(executorId);
    if (work != null) {
      boolean isItsAnswer = question.done() != null && question.done().round() == work.round;
      CrewMessages.Done done =
          isItsAnswer ? question.done() : CrewMessages.Done.forgotten(work.round);
      (work.isTrial ? tried : brought).add(new Brought(executorId, done, now - work.sent));
    }
    Seat before = seats.put(executorId, new Seat(answer, now));
    if (before != null) { // the member has asked again, or another task of the executor asks
      before.answer.accept(CrewMessages.Answer.NOTHING_YET);
    }
    handOutPull(executorId, now);
    handOutTrial(executorId, now);
    return isAllBrought() ? Received.ALL_DONE : Received.SEATED;
  }

  /** Begins a round whose tasks are handed out. */
  void begin(long number) {
    isRunning = true;
    round = number;
    forgetRound();
  }

  /** What has been handed out as a trial may come in a later round. */
  private void forgetRound() {
    open.values().removeIf(Open::isAwaited);
    brought.clear();
    trials.clear();
    sharedByTrials = null;
  }

  /** Ends a round: what is still on its way will not count. */
  void end(long now) {
    isRunning = false;
    forgetRound();
    pulls.close();
    idleSince = now;
  }

  /**
   * Gives members their tasks, if all are there.
   *
   * @return whether they are
   */
  boolean handOut(Handout work, long now) {
    if (!seats.keySet().containsAll(work.tasks().keySet())) {
      return false;
    }
    work.tasks().forEach((member, own) -> handOut(member, work.shared(), own, false, now));
    return true;
  }

  /** Gives members without tasks their trials, at once or when they ask for work in the round. */
  void handOutTrials(Handout ofTrials, long now) {
    sharedByTrials = ofTrials.shared();
    trials.putAll(ofTrials.tasks());
    ofTrials.tasks().keySet().forEach(member -> handOutTrial(member, now));
  }

  private void handOutTrial(String member, long now) {
    if (seats.containsKey(member) && trials.containsKey(member)) {
      handOut(member, sharedByTrials, trials.remove(member), /* isTrial= */ true, now);
    }
  }

  private void handOut(String member, byte[] shared, byte[][] own, boolean isTrial, long now) {
    open.put(member, new Open(round, isTrial, now));
    seats.remove(member).answer.accept(CrewMessages.Answer.work(round, shared, own));
  }

  /** Whether a member waits for work. */
  boolean isSeated(String executorId) {
    return seats.containsKey(executorId);
  }

  /** Whether all of these executors have come, and none is busy with a trial. */
  boolean haveCome(Set<String> executors) {
    return come.containsAll(executors) && busyWithTrials().isEmpty();
  }

  Set<String> busyWithTrials() {
    return open.keySet().stream().filter(id -> open.get(id).isTrial).collect(Collectors.toSet());
  }

  boolean isAllBrought() {
    return open.values().stream().noneMatch(Open::isAwaited);
  }

  List<Brought> brought() {
    return List.copyOf(brought);
  }

  /** What trials have brought since the last call. */
  List<Brought> takeTried() {
    List<Brought> taken = List.copyOf(tried);
    tried.clear();
    return taken;
  }

  /**
   * Looks whether the members of a round are there.
   *
   * @param live the ids of live executors now
   */
  void look(Set<String> awaited, Set<String> live) throws CrewTrouble {
    if (isDismissed) {
      throw new CrewTrouble("it was dismissed");
    }
    if (!live.containsAll(awaited)) {
      throw new LostMember();
    }
  }

  /**
   * Looks at the members that have work. Executors of a host fall silent together; their last signs
   * came {@value #SIGN_LOOKS} looks apart, at most. If no member is heard, the driver may be cut
   * off: one is silent.
   *
   * @param patience looks in a row that may find no word of a member; more than 10
   */
  void lookAtOpen(Set<String> live, int patience) throws CrewTrouble {
    look(awaited(), live);
    open.values().forEach(one -> one.silentLooks++);
    looksWithoutWord++;
    if (!silent(patience).isEmpty()) {
      boolean isAnyHeard = looksWithoutWord <= SIGN_LOOKS + 1;
      throw new SilentMember(
          isAnyHeard ? silent(patience - SIGN_LOOKS) : silent(patience).subList(0, 1),
          patience * Crew.LOOK_MILLIS / 1e3);
    }
  }

  private Set<String> awaited() {
    return open.keySet().stream()
        .filter(id -> open.get(id).isAwaited())
        .collect(Collectors.toSet());
  }

  private List<String> silent(int looks) {
    return awaited().stream().filter(id -> open.get(id).silentLooks > looks).sorted().toList();
  }

  /**
   * Begins a round of micro-tasks, and hands the first ones out.
   *
   * @param shares a {@link MicroShare} as bytes for each executor that takes part
   */
  void beginPulls(long number, Map<String, byte[]> shares, long rows, long now) {
    isRunning = true;
    pulls.open(number, shares, rows);
    List.copyOf(seats.keySet()).forEach(member -> handOutPull(member, now));
  }

  private void handOutPull(String executorId, long now) {
    Object[] next = seats.containsKey(executorId) ? pulls.next(executorId, now) : null;
    if (next != null) {
      seats.remove(executorId).answer.accept(next);
    }
  }

  /** Whether no round has come for a while. Answers the members that have waited for long. */
  boolean isIdle(long now) {
    seats.values().removeIf(seat -> hasWaited(seat, now));
    return !isRunning && now - idleSince >= IDLE_NANOS;
  }

  private static boolean hasWaited(Seat seat, long now) {
    boolean isLong = now - seat.since() > PATIENCE_NANOS;
    if (isLong) { // it asks again at once
      seat.answer.accept(CrewMessages.Answer.NOTHING_YET);
    }
    return isLong;
  }

  boolean isRunning() {
    return isRunning;
  }

  boolean isDismissed() {
    return isDismissed;
  }

  /** Lets members leave as soon as they have done their work. */
  void dismiss() {
    isDismissed = true;
    seats.values().forEach(seat -> seat.answer.accept(CrewMessages.Answer.DISMISSED));
    seats.clear();
  }
}
