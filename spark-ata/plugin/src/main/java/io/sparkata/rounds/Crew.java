package io.sparkata.rounds;

import io.sparkata.cluster.Executor;
import io.sparkata.cluster.ResidentRound;
import io.sparkata.gate.Trouble;
import io.sparkata.rounds.PullMessages.Pulled;
import io.sparkata.rounds.SlotClaims.Claim;
import io.sparkata.spark.Mailbox;
import io.sparkata.spark.Mailbox.Letter;
import io.sparkata.spark.PlainJobs;
import io.sparkata.spark.SparkInternals;
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
  private static final String DESCRIPTION = "spark.job.description";

  /** Time between two looks at other jobs, lost executors and idle members. */
  static final long LOOK_MILLIS = 50;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS) / 2;

  /** Without a round for so long, the slots are given back. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A member is answered "nothing yet" after so long; it leaves after 30 s without a word. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long executors may take to start their tasks, cold. */
  private static final long FORMING_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long members may take to leave before their job is cancelled. */
  private static final long LEAVING_MILLIS = 1000;

  private final SparkContext context;
  private final String name = "spark-ata-crew-" + FORMED.incrementAndGet();
  private final Set<String> executors;
  private final SlotClaims claims;
  private final Mailbox mailbox;
  private final Thread job;
  private final Map<String, Seat> seats = new HashMap<>();
  private final Map<String, Open> open = new HashMap<>();
  private final List<Brought> brought = new ArrayList<>();
  private final Pulls pulls = new Pulls();
  private long round;
  private boolean isRunning;
  private boolean isDismissed;
  private boolean hasEnded;
  private boolean isCancelledByUs;
  private Throwable failure;
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

  /** Why a round must run as a job. */
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
    this.context = context;
    this.executors = Set.copyOf(executors.stream().map(Executor::id).toList());
    this.claims = new SlotClaims(context, name);
    this.mailbox = Mailbox.open(context, name, this::receive);
    CrewRdd tasks = new CrewRdd(context, name, executors, accumulators);
    this.job = daemon(name, () -> runJob(tasks)); // inherits pool, group and tags
    this.job.start();
    daemon(name + "-watch", this::watch).start();
  }

  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  private void runJob(CrewRdd tasks) {
    Throwable error = null;
    try {
      context.addJobTag(name);
      context.setLocalProperty(ResidentRound.CREW, name);
      String round = context.getLocalProperty(DESCRIPTION);
      context.setLocalProperty(
          DESCRIPTION, (round == null ? "" : round + "; ") + "later rounds by message");
      PlainJobs.run(tasks, slot -> {});
    } catch (Throwable failed) {
      error = failed;
    }
    synchronized (this) {
      failure = error;
      hasEnded = true;
      notifyAll();
    }
    dismiss();
  }

  /** The executors for whose slots it was formed. */
  Set<String> executors() {
    return executors;
  }

  /** Whether it takes rounds. */
  synchronized boolean isThere() {
    return !isDismissed && !hasEnded;
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
    CrewMessages.Done done = question.done();
    if (done != null && isRunning && done.round() == round) {
      Open work = open.remove(question.executorId());
      if (work != null) {
        brought.add(new Brought(question.executorId(), done, System.nanoTime() - work.sent));
      }
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
  synchronized List<Brought> run(
      long number,
      byte[] shared,
      Map<String, byte[][]> tasks,
      Supplier<Set<String>> live,
      int patience)
      throws CrewTrouble, InterruptedException {
    isRunning = true;
    round = number;
    open.clear();
    brought.clear();
    try {
      long start = System.nanoTime();
      while (!seats.keySet().containsAll(tasks.keySet())) {
        look(tasks.keySet(), live);
        if (System.nanoTime() - start > FORMING_NANOS) {
          throw new CrewTrouble("not all executors started their tasks");
        }
        if (isWanted()) {
          throw new CrewTrouble("tasks of another job wait for slots");
        }
        wait(LOOK_MILLIS);
      }
      for (Map.Entry<String, byte[][]> one : tasks.entrySet()) {
        open.put(one.getKey(), new Open());
        seats
            .remove(one.getKey())
            .letter()
            .answer(CrewMessages.Answer.work(number, shared, one.getValue()));
      }
      for (long looked = System.nanoTime(); !open.isEmpty(); ) {
        wait(LOOK_MILLIS);
        if (System.nanoTime() - looked > LOOK_NANOS) { // asks Spark's master: not at each answer
          look(open.keySet(), live);
          lookForSilence(patience);
          looked = System.nanoTime();
        }
      }
      return List.copyOf(brought);
    } finally {
      isRunning = false;
      brought.clear();
      idleSince = System.nanoTime();
    }
  }

  /** Throws Spark's exception if the crew's job was cancelled, as a round's own job would. */
  synchronized void rethrowCancellation() {
    if (failure != null && !isCancelledByUs && SparkInternals.isCancellation(failure)) {
      throw Trouble.<RuntimeException>unchecked(failure);
    }
  }

  private void look(Set<String> awaited, Supplier<Set<String>> live) throws CrewTrouble {
    rethrowCancellation();
    if (failure != null) {
      throw new CrewTrouble("its job failed: " + failure.getMessage());
    }
    if (hasEnded || isDismissed) {
      throw new CrewTrouble("its job ended");
    }
    if (!live.get().containsAll(awaited)) {
      throw new LostMember();
    }
  }

  private void lookForSilence(int patience) throws SilentMember {
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
    if (isDismissed || hasEnded) {
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
          lastSign = pulls.isAnyoneBusy() || !arrived.isEmpty() ? System.nanoTime() : lastSign;
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
    look(Set.of(), () -> Set.of());
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
    long limit = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEAVING_MILLIS);
    while (isLast && isThere() && pulls.isAnyoneBusy() && System.nanoTime() - limit < 0) {
      wait(LOOK_MILLIS);
    }
    return pulls.takeDropped(/* isOfBusyToo= */ isLast && isThere());
  }

  /** Cancels the crew's job: its members that run leave now. */
  void cancel() {
    synchronized (this) {
      isCancelledByUs = true;
    }
    context.cancelJobsWithTag(name);
  }

  /** Dismisses the crew and waits until its slots are free; cancels its job if that takes long. */
  @Override
  public void close() {
    dismiss();
    boolean wasInterrupted = Thread.interrupted();
    try {
      job.join(LEAVING_MILLIS);
      if (job.isAlive() && !context.isStopped()) {
        cancel();
        job.join(LEAVING_MILLIS);
      }
    } catch (InterruptedException again) {
      wasInterrupted = true;
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
