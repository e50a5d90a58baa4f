package io.sparkata.rounds.crew;

import io.sparkata.cluster.Executor;
import io.sparkata.rounds.crew.CrewProtocol.Brought;
import io.sparkata.rounds.crew.CrewProtocol.Received;
import io.sparkata.rounds.crew.CrewTrouble.LostMember;
import io.sparkata.rounds.crew.CrewTrouble.SilentMember;
import io.sparkata.rounds.crew.PullMessages.Pulled;
import io.sparkata.rounds.crew.SlotClaims.Claim;
import io.sparkata.spark.Mailbox.Letter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One Spark job whose tasks, one per slot, stay and get rounds by message. It is dismissed for good
 * when the training does so, when tasks of another job wait for slots, or when no round has come
 * for a while. Driver only; rounds come from one thread.
 */
final class Crew implements AutoCloseable {
  private static final AtomicLong FORMED = new AtomicLong();

  /** Time between two looks at other jobs, lost executors and idle members. */
  static final long LOOK_MILLIS = 50;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS) / 2;

  /** How long executors may take to start their tasks, cold. */
  static final long FORMING_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final String name = "spark-ata-crew-" + FORMED.incrementAndGet();
  private final Map<String, Integer> slots = new HashMap<>();
  private final SlotClaims claims;
  private final CrewHost host;
  private final Runnable mailbox;
  private final CrewHost.Job job;
  private final Pulls pulls = new Pulls(slots);
  private final CrewProtocol protocol;

  /** Submits the crew's job; does not wait for its tasks. */
  Crew(CrewHost host, List<Executor> executors) {
    executors.forEach(one -> slots.put(one.id(), one.slots()));
    this.host = host;
    this.protocol = new CrewProtocol(pulls, host.nanoTime());
    this.claims = new SlotClaims(host, name);
    this.mailbox = host.open(name, this::receive);
    this.job = host.submit(name, executors, this::dismiss);
    this.job.watch(this::lookIdle, this::dismiss);
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
    return !protocol.isDismissed() && !job.hasEnded();
  }

  /** On a thread of Spark's RPC. */
  private synchronized void receive(Letter letter) {
    Received received = protocol.receive(letter.message(), letter::answer, host.nanoTime());
    if (received != Received.NOTHING_NEW) {
      claims.seated();
    }
    if (received == Received.ALL_DONE) {
      notifyAll();
    }
  }

  /**
   * Runs a round.
   *
   * @param number that no other round of the application has
   * @param work of the round
   * @param trials makes those of executors without tasks, which the round does not wait for; called
   *     when the work has been handed out
   * @param live the ids of live executors now
   * @param patience looks, about {@value #LOOK_MILLIS} ms apart, that may find no word of a member
   * @return what each of these executors brought
   * @throws LostMember if one of them is lost
   * @throws SilentMember if one gives no sign of life
   * @throws CrewTrouble if one fails or does not come
   */
  List<Brought> run(
      long number, Handout work, Supplier<Handout> trials, Supplier<Set<String>> live, int patience)
      throws CrewTrouble, InterruptedException {
    begin(number);
    try {
      long start = host.nanoTime();
      FormingWatch watch = new FormingWatch(host, patience);
      while (!await(() -> protocol.handOut(work, host.nanoTime()))) {
        look(work.tasks().keySet(), live.get());
        watch.look(id -> work.tasks().containsKey(id) && !isSeated(id));
        if (host.nanoTime() - start > FORMING_NANOS) {
          throw new CrewTrouble("not all executors started their tasks");
        }
        if (isWanted()) {
          throw new CrewTrouble("tasks of another job wait for slots");
        }
      }
      handOutTrials(trials.get());
      for (long looked = host.nanoTime(); !await(protocol::isAllBrought); ) {
        if (host.nanoTime() - looked > LOOK_NANOS) {
          Set<String> alive = live.get(); // asks Spark's master: not at each answer
          lookAtOpen(alive, patience);
          looked = host.nanoTime();
        }
      }
      return allBrought();
    } finally {
      end();
    }
  }

  private synchronized void handOutTrials(Handout trials) {
    protocol.handOutTrials(trials, host.nanoTime());
  }

  /** What trials have brought since the last call. */
  synchronized List<Brought> takeTried() {
    return protocol.takeTried();
  }

  /** Whether an executor waits for work. */
  synchronized boolean isSeated(String executorId) {
    return protocol.isSeated(executorId);
  }

  private synchronized void begin(long number) {
    protocol.begin(number);
  }

  private synchronized void end() {
    protocol.end(host.nanoTime());
  }

  /** Whether something is so, perhaps after a short wait. */
  private synchronized boolean await(BooleanSupplier something) throws InterruptedException {
    if (something.getAsBoolean()) {
      return true;
    }
    host.await(this);
    return something.getAsBoolean();
  }

  private synchronized List<Brought> allBrought() {
    return protocol.brought();
  }

  /** Throws Spark's exception if the crew's job was cancelled, as a round's own job would. */
  void rethrowCancellation() {
    job.rethrowCancellation();
  }

  private synchronized void look(Set<String> awaited, Set<String> live) throws CrewTrouble {
    job.check();
    protocol.look(awaited, live);
  }

  private synchronized void lookAtOpen(Set<String> live, int patience) throws CrewTrouble {
    job.check();
    protocol.lookAtOpen(live, patience);
  }

  /** Whether to look again: not if others wait for its slots, or no round has come for a while. */
  private synchronized boolean lookIdle() {
    if (!isThere()) {
      return false;
    }
    boolean isIdle = protocol.isIdle(host.nanoTime());
    boolean isWanted = isWanted(); // during a round, too: its end looks for how long
    return protocol.isRunning() || !(isIdle || isWanted);
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
    if (!protocol.isDismissed()) {
      protocol.dismiss();
      mailbox.run();
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
      protocol.beginPulls(number, shares, rows, host.nanoTime());
    }
    try {
      long looked = host.nanoTime();
      long lastSign = looked;
      for (boolean isEnough = false; !isEnough; ) {
        List<Pulled> arrived;
        synchronized (this) {
          if (!pulls.hasArrived()) {
            host.await(this);
          }
          arrived = pulls.take();
          isEnough = pulls.isEnough();
          boolean isAlive = pulls.isWorkedOn() || !arrived.isEmpty();
          lastSign = isAlive || claims.isWaiting() ? host.nanoTime() : lastSign;
        }
        arrived.forEach(user);
        if (!isEnough && host.nanoTime() - looked > LOOK_NANOS) { // asks Spark's master
          lookAtPulls(live.get(), lastSign);
          looked = host.nanoTime();
        }
      }
    } finally {
      end();
    }
  }

  private synchronized void lookAtPulls(Set<String> live, long lastSign) throws CrewTrouble {
    look(Set.of(), live);
    pulls.keep(live, host.nanoTime());
    if (host.nanoTime() - lastSign > FORMING_NANOS) {
      throw new CrewTrouble("no executor works on it");
    }
  }

  /**
   * What members have worked since the last call without it counting.
   *
   * @param isLast whether to wait a second for those that still work, and then count their time
   * @return nanoseconds by executor
   */
  synchronized Map<String, Long> takeDropped(boolean isLast) throws InterruptedException {
    long limit = host.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CrewJob.LEAVING_MILLIS);
    while (isLast && isThere() && pulls.isAnyoneBusy() && host.nanoTime() - limit < 0) {
      host.await(this);
    }
    return pulls.takeDropped(/* isOfBusyToo= */ isLast, host.nanoTime());
  }

  /** Cancels the crew's job: its members that run leave now. */
  void cancel() {
    job.cancel();
  }

  /** Dismisses the crew and waits until its slots are free; cancels its job if that takes long. */
  @Override
  public void close() {
    boolean leavesSoon = haveCome();
    dismiss();
    job.close(leavesSoon ? CrewJob.LEAVING_MILLIS : CrewJob.LEAVING_MILLIS / 10);
  }

  /** Else it may take a member long to leave: it waits for its slot, starts, or has a trial. */
  private synchronized boolean haveCome() {
    return protocol.haveCome(slots.keySet());
  }

  /** Members whose trials have not been answered. */
  synchronized Set<String> busyWithTrials() {
    return protocol.busyWithTrials();
  }
}
