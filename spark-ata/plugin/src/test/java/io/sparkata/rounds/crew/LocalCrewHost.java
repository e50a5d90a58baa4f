package io.sparkata.rounds.crew;

import io.sparkata.cluster.Executor;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.spark.Mailbox;
import io.sparkata.spark.Mailbox.Letter;
import io.sparkata.spark.Serialized;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskKilledException;
import org.apache.spark.util.LongAccumulator;

/**
 * Crews whose real {@link CrewMember}s are threads of this JVM, over Spark's RPC. Some letters
 * reach the driver late or twice.
 */
final class LocalCrewHost implements CrewHost {
  private static final int MOST_LATE_MILLIS = 20;

  private final SparkContext context;
  private final Random random;
  private final double chance;
  private final List<Thread> slots = new ArrayList<>();
  private volatile boolean wasCancelled;

  /**
   * @param chance of each disturbance
   */
  LocalCrewHost(SparkContext context, Random random, double chance) {
    this.context = context;
    this.random = random;
    this.chance = chance;
  }

  /** Whether all slots are free. */
  boolean isFree() {
    return slots.stream().noneMatch(Thread::isAlive);
  }

  /** Whether a crew had to be cancelled. */
  boolean wasCancelled() {
    return wasCancelled;
  }

  private synchronized boolean strikes() {
    return random.nextDouble() < chance;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
  public void await(Object lock) throws InterruptedException {
    lock.wait(Crew.LOOK_MILLIS);
  }

  @Override
  public Runnable open(String name, Consumer<Letter> receiver) {
    return Mailbox.open(context, name, letter -> receive(letter, receiver))::close;
  }

  private void receive(Letter letter, Consumer<Letter> receiver) {
    if (strikes()) {
      receiver.accept(letter);
      receiver.accept(new Second(letter.message()));
    } else if (strikes()) {
      long millis = millis();
      CrewJob.daemon("late", () -> late(millis, () -> receiver.accept(letter))).start();
    } else {
      receiver.accept(letter);
    }
  }

  private synchronized long millis() {
    return random.nextInt(MOST_LATE_MILLIS);
  }

  private static void late(long millis, Runnable action) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
      action.run();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** A letter that has come before; a question has one answer. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Second(Object[] message) implements Letter {
    @Override
    public void answer(Object... answer) {}
  }

  @Override
  public Map<String, BooleanSupplier> askForSigns() {
    return Map.of(); // there are no executors
  }

  @Override
  public Job submit(String name, List<Executor> executors, Runnable atEnd) {
    RoundAccumulators totals =
        new RoundAccumulators(new LongAccumulator(), new LongAccumulator(), new LongAccumulator());
    LocalJob job = new LocalJob();
    for (int slot = 0; slot < executors.get(0).slots(); slot++) {
      TaskContext task = TaskContext$.MODULE$.empty();
      job.tasks.add(task);
      Thread thread = CrewJob.daemon(name + "-" + slot, () -> serve(name, task, totals));
      job.threads.add(thread);
      slots.add(thread);
      thread.start();
    }
    CrewJob.daemon(
            name,
            () -> {
              job.join(Long.MAX_VALUE);
              atEnd.run();
            })
        .start();
    return job;
  }

  private static void serve(String name, TaskContext task, RoundAccumulators totals) {
    try {
      CrewMember.serve(name, task, totals);
    } catch (TaskKilledException killed) {
      // as Spark does
    }
  }

  @Override
  public Set<String> waiting() {
    return Set.of();
  }

  @Override
  public byte[] toBytes(Object work) {
    return Serialized.work(work);
  }

  @Override
  public Object result(byte[] bytes) {
    return Serialized.result(bytes);
  }

  /** The threads of a crew. */
  private final class LocalJob implements Job {
    private final List<TaskContext> tasks = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private void join(long millis) {
      try {
        for (Thread thread : threads) {
          thread.join(millis == Long.MAX_VALUE ? 0 : millis);
        }
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public boolean hasEnded() {
      return threads.stream().noneMatch(Thread::isAlive);
    }

    @Override
    public void watch(BooleanSupplier look, Runnable atEnd) {
      CrewJob.daemon(
              "watch",
              () -> {
                while (look.getAsBoolean()) {
                  join(Crew.LOOK_MILLIS);
                }
                atEnd.run();
              })
          .start();
    }

    @Override
    public void rethrowCancellation() {}

    @Override
    public void check() throws CrewTrouble {
      if (hasEnded()) {
        throw new CrewTrouble("its job ended");
      }
    }

    @Override
    public void cancel() {
      wasCancelled = true;
      tasks.forEach(task -> task.markInterrupted("cancelled"));
    }

    @Override
    public void close(long millis) {
      join(CrewJob.LEAVING_MILLIS);
      if (!hasEnded()) {
        cancel();
        join(CrewJob.LEAVING_MILLIS);
      }
    }
  }
}
