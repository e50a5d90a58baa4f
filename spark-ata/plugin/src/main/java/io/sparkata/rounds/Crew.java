package io.sparkata.rounds;

import io.sparkata.cluster.Executor;
import io.sparkata.gate.Trouble;
import io.sparkata.rounds.PullMessages.Pulled;
import io.sparkata.rounds.SlotClaims.Claim;
import io.sparkata.spark.Mailbox;
import io.sparkata.spark.Mailbox.Letter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Spark job whose tasks, one per slot, stay and get rounds by message. It is dismissed for good
 * when the training does so, when tasks of another job wait for slots, or when no round has come
 * for a while. Driver only; rounds come from one thread.
 */
final class Crew implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Crew.class);
  private static final AtomicLong FORMED = new AtomicLong();

  /** Time between two looks at other jobs, lost executors and idle members. */
  static final long LOOK_MILLIS = 50;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS) / 2;

  /** Without a round for so long, the slots are given back. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A member is answered "nothing yet" after so long; it leaves after 30 s without a word. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long executors may take to start their tasks, cold. */
  private static final long FORMING_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final String name = "spark-ata-crew-" + FORMED.incrementAndGet();
  private final Map<String, Integer> slots = new HashMap<>();
  private final SlotClaims claims;
  private final Mailbox mailbox;
  private final CrewJob job;
  private final Map<String, Seat> seats = new HashMap<>();
  private final Map<String, Open> open = new HashMap<>();
  private final List<Brought> brought = new ArrayList<>();
  private final Pulls pulls = new Pulls(slots);
  private long round;
  private boolean isRunning;
  private boolean isDismissed;
  private long idleSince = System.nanoTime();

  /** A member that waits for an answer. */
  private record Seat(Letter letter, long since) {}

  /** A member that has work. */
  private static final class Open {
    private final long sent = System.nanoTime();

    /** Looks in a row that found no word from it: a pause of the driver counts as one. */
    private int silentLooks;
  }

  /**
   * What a member brought.
   *
   * @param nanos from sending its work to getting its answer
   */
  record Brought(String executorId, CrewMessages.Done done, long nanos) {}

  /** Why a round cannot go on by message. */
  static class CrewTrouble extends Exception {
    private static final long serialVersionUID = 1L;

    CrewTrouble(String message) {
      super(message);
    }
  }

  /** An executor that Spark no longer counts as live. */
  static final class LostMember extends CrewTrouble {
    private static final long serialVersionUID = 1L;

    LostMember() {
      super("an executor was lost");
    }
  }

  /** A member gives no sign of life. */
  static final class SilentMember extends CrewTrouble {
    private static final long serialVersionUID = 1L;
    private final String executorId;

    SilentMember(String executorId) {
      super("executor " + executorId + " is silent");
      this.executorId = executorId;
    }

    String executorId() {
      return executorId;
    }
  }

  /** Submits the crew's job; does not wait for its tasks. */
  Crew(SparkContext context, List<Executor> executors, RoundAccumulators accumulators) {
    executors.forEach(one -> slots.put(one.id(), one.slots()));
    this.claims = new SlotClaims(context, name);
    this.mailbox = Mailbox.open(context, name, this::receive);
    this.job = new CrewJob(context, name, executors, accumulators, this::dismiss);
    this.job.start();
    daemon(name + "-watch", this::watch).start();
  }

  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** The executors for whose slots it was formed. */
  Set<String> executors() {
    return slots.keySet();
  }

  /** Whether it has a task for each slot of these executors, and no other executor. */
  boolean isFor(List<Executor> members) {
    return members.size() == slots.size()
        && members.stream().allMatch(one -> slots.getOrDefault(one.id(), 0) >= one.slots());
  }

  /** Whether it takes rounds. */
  synchronized boolean isThere() {
    return !isDismissed && !job.hasEnded();
  }

  /** On a thread of Spark's RPC. */
  private synchronized void receive(Letter letter) {
    if (isDismissed) {
      letter.answer(CrewMessages.Answer.DISMISSED);
      return;
    }
    CrewMessages.Question question = CrewMessages.Question.of(pulls.receive(letter.message()));
    if (question.isSign()) {
      letter.answer(CrewMessages.Answer.NOTHING_YET);
      Open working = open.get(question.executorId());
      if (working != null) {
        working.silentLooks = 0;
      }
      return;
    }
    Open work = open.remove(question.executorId());
    if (work != null) {
      boolean isItsAnswer = question.done() != null && question.done().round() == round;
      CrewMessages.Done done = isItsAnswer ? question.done() : CrewMessages.Done.forgotten(round);
      brought.add(new Brought(question.executorId(), done, System.nanoTime() - work.sent));
    }
    claims.seated();
    Seat before = seats.put(question.executorId(), new Seat(letter, System.nanoTime()));
    if (before != null) { // the member has asked again, or another task of the executor asks
      before.letter().answer(CrewMessages.Answer.NOTHING_YET);
    }
    handOut(question.executorId());
    if (open.isEmpty()) {
      notifyAll();
    }
  }

  /**
   * Runs a round.
   *
   * @param number that no other round of the application has
   * @param shared for all members
   * @param tasks by executor
   * @param live the ids of live executors now
   * @param patience looks, about {@value #LOOK_MILLIS} ms apart, that may find no word of a member
   * @return what each of these executors brought
   * @throws LostMember if one of them is lost
   * @throws SilentMember if one gives no sign of life
   * @throws CrewTrouble if one fails or does not come
   */
  List<Brought> run(
      long number,
      byte[] shared,
      Map<String, byte[][]> tasks,
      Supplier<Set<String>> live,
      int patience)
      throws CrewTrouble, InterruptedException {
    begin(number);
    try {
      long start = System.nanoTime();
      while (!hasHandedOut(shared, tasks)) {
        look(tasks.keySet(), live.get());
        if (System.nanoTime() - start > FORMING_NANOS) {
          throw new CrewTrouble("not all executors started their tasks");
        }
        if (isWanted()) {
          throw new CrewTrouble("tasks of another job wait for slots");
        }
      }
      for (long looked = System.nanoTime(); !isAllBrought(); ) {
        if (System.nanoTime() - looked > LOOK_NANOS) {
          Set<String> alive = live.get(); // asks Spark's master: not at each answer
          lookAtOpen(alive, patience);
          looked = System.nanoTime();
        }
      }
      return allBrought();
    } finally {
      end();
    }
  }

  private synchronized void begin(long number) {
    isRunning = true;
    round = number;
    open.clear();
    brought.clear();
  }

  private synchronized void end() {
    isRunning = false;
    open.clear();
    brought.clear();
    idleSince = System.nanoTime();
  }

  /** Gives the members their work if all are there, perhaps after a short wait. */
  @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
  private synchronized boolean hasHandedOut(byte[] shared, Map<String, byte[][]> tasks)
      throws InterruptedException {
    if (!seats.keySet().containsAll(tasks.keySet())) {
      wait(LOOK_MILLIS);
    }
    if (!seats.keySet().containsAll(tasks.keySet())) {
      return false;
    }
    for (Map.Entry<String, byte[][]> one : tasks.entrySet()) {
      open.put(one.getKey(), new Open());
      Letter letter = seats.remove(one.getKey()).letter();
      letter.answer(CrewMessages.Answer.work(round, shared, one.getValue()));
    }
    return true;
  }

  /** Whether all members have brought their work, perhaps after a short wait. */
  @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
  private synchronized boolean isAllBrought() throws InterruptedException {
    if (!open.isEmpty()) {
      wait(LOOK_MILLIS);
    }
    return open.isEmpty();
  }

  private synchronized List<Brought> allBrought() {
    return List.copyOf(brought);
  }

  /** Throws Spark's exception if the crew's job was cancelled, as a round's own job would. */
  void rethrowCancellation() {
    job.rethrowCancellation();
  }

  private synchronized void look(Set<String> awaited, Set<String> live) throws CrewTrouble {
    job.check();
    if (isDismissed) {
      throw new CrewTrouble("it was dismissed");
    }
    if (!live.containsAll(awaited)) {
      throw new LostMember();
    }
  }

  private synchronized void lookAtOpen(Set<String> live, int patience) throws CrewTrouble {
    look(open.keySet(), live);
    for (Map.Entry<String, Open> one : open.entrySet()) {
      if (++one.getValue().silentLooks > patience) {
        throw new SilentMember(one.getKey());
      }
    }
  }

  /** Gives slots back when others wait for them, or no round has come for a while. */
  private void watch() {
    try {
      while (lookIdle()) {
        job.join(LOOK_MILLIS);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      LOG.debug("Spark ATA: cannot look for waiting tasks", error);
    }
    dismiss();
  }

  /** Whether to look again. */
  private synchronized boolean lookIdle() {
    if (!isThere()) {
      return false;
    }
    long now = System.nanoTime();
    seats.values().removeIf(seat -> hasWaited(seat, now));
    boolean isWanted = isWanted(); // during a round, too: its end looks for how long
    return isRunning || (now - idleSince < IDLE_NANOS && !isWanted);
  }

  private static boolean hasWaited(Seat seat, long now) {
    boolean isLong = now - seat.since() > PATIENCE_NANOS;
    if (isLong) { // it asks again at once
      seat.letter().answer(CrewMessages.Answer.NOTHING_YET);
    }
    return isLong;
  }

  /** Who waits for its slots. */
  Claim claim() {
    return claims.claim();
  }

  /** Whether anyone does. */
  boolean isWanted() {
    return claim() != Claim.NONE;
  }

  /** Lets members leave as soon as they have done their work; does not wait. */
  synchronized void dismiss() {
    if (!isDismissed) {
      isDismissed = true;
      seats.values().forEach(seat -> seat.letter().answer(CrewMessages.Answer.DISMISSED));
      seats.clear();
      mailbox.close();
      notifyAll();
    }
  }

  /**
   * Lets members pull micro-tasks until they have summed enough rows; does not wait for the others.
   *
   * @param number that no other round of the crew has
   * @param shares a {@link MicroShare} as bytes for each executor that takes part
   * @param rows that are enough
   * @param live the ids of live executors now
   * @param user receives what counts, on this thread
   * @throws CrewTrouble if all executors are lost, one fails, or none comes
   */
  void pull(
      long number,
      Map<String, byte[]> shares,
      long rows,
      Supplier<Set<String>> live,
      Consumer<Pulled> user)
      throws CrewTrouble, InterruptedException {
    synchronized (this) {
      isRunning = true;
      pulls.open(number, shares, rows);
      List.copyOf(seats.keySet()).forEach(this::handOut);
    }
    try {
      long looked = System.nanoTime();
      long lastSign = looked;
      for (boolean isEnough = false; !isEnough; ) {
        List<Pulled> arrived;
        synchronized (this) {
          if (!pulls.hasArrived()) {
            wait(LOOK_MILLIS);
          }
          arrived = pulls.take();
          isEnough = pulls.isEnough();
          boolean isAlive = pulls.isAnyoneBusy() || !arrived.isEmpty();
          lastSign = isAlive || claims.isWaiting() ? System.nanoTime() : lastSign;
        }
        arrived.forEach(user);
        if (!isEnough && System.nanoTime() - looked > LOOK_NANOS) { // asks Spark's master
          lookAtPulls(live.get(), lastSign);
          looked = System.nanoTime();
        }
      }
    } finally {
      synchronized (this) {
        pulls.close();
        isRunning = false;
        idleSince = System.nanoTime();
      }
    }
  }

  private synchronized void lookAtPulls(Set<String> live, long lastSign) throws CrewTrouble {
    look(Set.of(), live);
    if (!pulls.keep(live)) {
      throw new CrewTrouble("all its executors were lost");
    }
    if (System.nanoTime() - lastSign > FORMING_NANOS) {
      throw new CrewTrouble("no executor started its tasks");
    }
  }

  private void handOut(String executorId) {
    Object[] next = seats.containsKey(executorId) ? pulls.next(executorId) : null;
    if (next != null) {
      seats.remove(executorId).letter().answer(next);
    }
  }

  /**
   * What members have worked since the last call without it counting.
   *
   * @param isLast whether to wait a second for those that still work, and then count their time
   * @return nanoseconds by executor
   */
  synchronized Map<String, Long> takeDropped(boolean isLast) throws InterruptedException {
    long limit = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CrewJob.LEAVING_MILLIS);
    while (isLast && isThere() && pulls.isAnyoneBusy() && System.nanoTime() - limit < 0) {
      wait(LOOK_MILLIS);
    }
    return pulls.takeDropped(/* isOfBusyToo= */ isLast);
  }

  /** Cancels the crew's job: its members that run leave now. */
  void cancel() {
    job.cancel();
  }

  /** Dismisses the crew and waits until its slots are free; cancels its job if that takes long. */
  @Override
  public void close() {
    dismiss();
    if (!claims.areSeated()) { // they wait for slots, or start their executor's first task
      job.cancel();
    }
    job.close();
  }
}
