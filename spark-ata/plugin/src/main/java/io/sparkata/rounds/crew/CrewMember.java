package io.sparkata.rounds.crew;

import io.sparkata.gate.Trouble;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.Summand;
import io.sparkata.rounds.TaskWork;
import io.sparkata.spark.DriverLine;
import io.sparkata.spark.ExecutorInternals;
import io.sparkata.spark.Serialized;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor's part in a {@link Crew}: its slots are the crew's tasks here. The first slot asks
 * the driver for work and brings the answer with its next question; all slots take the round's
 * tasks from one queue. Executors only.
 */
final class CrewMember {
  private static final Logger LOG = LoggerFactory.getLogger(CrewMember.class);

  /** Without a word from the driver for so long, a member leaves. */
  static final int SILENCE_SECONDS = 30;

  private static final long LOOK_MILLIS = 100;

  /** Time between two signs of life. */
  private static final long SIGN_MILLIS = 250;

  private static final Map<String, CrewMember> BY_CREW = new ConcurrentHashMap<>();

  private final String crew;
  private final AtomicBoolean isLed = new AtomicBoolean();
  private final AtomicInteger slots = new AtomicInteger();
  private final LinkedBlockingQueue<SlotWork> offered = new LinkedBlockingQueue<>();
  private volatile boolean hasLeft;
  private byte[] share; // of the round's micro-tasks; the leading slot's

  /** A slot. Its own thread only. */
  static final class Slot {
    private final TaskContext task;
    private final RoundAccumulators totals;
    private byte[] shareBytes;
    private MicroShare<Object> share;

    /**
     * @param task of Spark's that holds it
     * @param totals of that task
     */
    Slot(TaskContext task, RoundAccumulators totals) {
      this.task = task;
      this.totals = totals;
    }

    TaskContext task() {
      return task;
    }

    RoundAccumulators totals() {
      return totals;
    }

    /** The slot's own copy of a share, as a gradient may have state that no two slots share. */
    MicroShare<Object> share(byte[] bytes) {
      if (shareBytes != bytes) {
        share = MicroShare.of(bytes);
        shareBytes = bytes;
      }
      return share;
    }
  }

  /** Work that all slots take parts of. */
  interface SlotWork {
    /** Works until no part is left. */
    void run(Slot slot);
  }

  private CrewMember(String crew) {
    this.crew = crew;
  }

  /** Serves as a slot until the driver dismisses the crew or the task is killed. */
  static void serve(String crew, TaskContext task, RoundAccumulators totals) {
    CrewMember member = BY_CREW.computeIfAbsent(crew, CrewMember::new);
    Slot slot = new Slot(task, totals);
    member.slots.incrementAndGet();
    try {
      // Else Spark would keep the locks of blocks and broadcasts until this task ends.
      ExecutorInternals.withoutTask(() -> member.serve(slot));
    } finally {
      if (member.slots.decrementAndGet() == 0) {
        BY_CREW.remove(crew, member);
      }
    }
    if (task.isInterrupted()) {
      throw new TaskKilledException("the crew was cancelled");
    }
  }

  private void serve(Slot slot) {
    try {
      if (isLed.compareAndSet(false, true)) {
        lead(slot);
      } else {
        help(slot);
      }
    } catch (InterruptedException killed) {
      Thread.currentThread().interrupt();
    }
  }

  private void lead(Slot slot) throws InterruptedException {
    Thread signs = null;
    try {
      DriverLine driver = DriverLine.to(crew);
      signs = CrewJob.daemon(crew + "-signs", () -> giveSigns(driver));
      signs.start();
      Object[] question = question(null).toArray();
      while (true) {
        Object[] said = driver.ask(question, SILENCE_SECONDS, slot.task::isInterrupted);
        if (PullMessages.Next.isIn(said)) {
          question = pulled(PullMessages.Next.of(said), slot).with(question(null).toArray());
          continue;
        }
        CrewMessages.Answer answer = CrewMessages.Answer.of(said);
        if (answer.isDismissal()) {
          return;
        }
        question = question(answer.hasWork() ? work(answer, slot) : null).toArray();
      }
    } catch (TimeoutException silence) {
      LOG.info("Spark ATA: the driver was silent for {} s; the slot is free", SILENCE_SECONDS);
    } catch (Throwable gone) { // the driver has closed its mailbox
      Trouble.rethrowFatal(gone);
      LOG.debug("Spark ATA: no crew any more; the slot is free", gone);
    } finally {
      hasLeft = true;
      if (signs != null) {
        signs.interrupt();
      }
    }
  }

  /** Until the member leaves. */
  private void giveSigns(DriverLine driver) {
    Object[] sign = CrewMessages.Question.signOf(ExecutorInternals.executorId());
    try {
      while (!hasLeft) {
        driver.tell(sign);
        Thread.sleep(SIGN_MILLIS);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException gone) { // the leader finds out, too
      LOG.debug("Spark ATA: no signs to the driver any more", gone);
    }
  }

  private CrewMessages.Question question(CrewMessages.Done done) {
    return new CrewMessages.Question(ExecutorInternals.executorId(), /* isSign= */ false, done);
  }

  private CrewMessages.Done work(CrewMessages.Answer answer, Slot own) throws InterruptedException {
    Work work = new Work(answer);
    for (int slot = 1; slot < Math.min(slots.get(), answer.tasks().length); slot++) {
      offered.add(work);
    }
    work.run(own);
    return work.await();
  }

  private PullMessages.Pulled pulled(PullMessages.Next next, Slot own) throws InterruptedException {
    long start = System.nanoTime();
    try {
      if (next.share() != null) {
        share = next.share();
      }
      MicroTask work = new MicroTask(next, share, own, slots.get());
      for (int slot = 1; slot < work.parts(); slot++) {
        offered.add(work);
      }
      work.run(own);
      return work.await();
    } catch (RuntimeException | LinkageError error) {
      return PullMessages.Pulled.failed(next, error, System.nanoTime() - start);
    }
  }

  private void help(Slot slot) throws InterruptedException {
    while (!hasLeft && !slot.task.isInterrupted()) {
      SlotWork work = offered.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      if (work != null) {
        work.run(slot);
      }
    }
  }

  /** A round's tasks on this executor. */
  private static final class Work implements SlotWork {
    private final CrewMessages.Answer answer;
    private final AtomicInteger next = new AtomicInteger();
    private final RoundResult<?>[] results;
    private final CountDownLatch left;
    private volatile Summand<Object> summand;
    private volatile Throwable failure;

    Work(CrewMessages.Answer answer) {
      this.answer = answer;
      this.results = new RoundResult<?>[answer.tasks().length];
      this.left = new CountDownLatch(results.length);
    }

    /** Runs tasks until none is left. */
    @Override
    public void run(Slot slot) {
      for (int i = next.getAndIncrement(); i < results.length; i = next.getAndIncrement()) {
        try {
          results[i] = result(i, slot);
        } catch (Throwable error) { // the driver runs the round as a job, and Spark handles it
          failure = error;
        } finally {
          left.countDown();
        }
      }
    }

    private RoundResult<Object> result(int i, Slot slot) {
      RoundShared<Object> shared = RoundShared.of(answer.shared());
      RoundTask task = (RoundTask) Serialized.work(answer.tasks()[i]);
      summand = shared.summand();
      RoundResult<Object> result =
          new TaskWork<>(task, shared.summand(), slot.task).run(answer.round(), shared.rows());
      if (!task.isTrial()) {
        slot.totals.add(result.reports().get(0));
      }
      return result;
    }

    /** Waits for the slots that still work. */
    CrewMessages.Done await() throws InterruptedException {
      left.await();
      if (failure != null) {
        return CrewMessages.Done.failed(answer.round(), failure);
      }
      try {
        @SuppressWarnings("unchecked") // all are sums of the same summand
        RoundResult<Object> sum =
            Arrays.stream(results)
                .map(one -> (RoundResult<Object>) one)
                .reduce((left, right) -> left.merge(right, summand))
                .orElseThrow();
        return CrewMessages.Done.of(answer.round(), Serialized.result(sum));
      } catch (Throwable error) { // Spark's serializers throw checked exceptions, too
        Trouble.rethrowFatal(error);
        return CrewMessages.Done.failed(answer.round(), error);
      }
    }
  }
}
