package io.sparkata.rounds.crew;

import io.sparkata.cluster.Executor;
import io.sparkata.spark.Mailbox.Letter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What a {@link Crew} asks of Spark and of the clock. Driver only, thread-safe. */
interface CrewHost {

  /** Nanoseconds that only grow. */
  long nanoTime();

  /**
   * Waits until a lock that the caller holds is notified, {@value Crew#LOOK_MILLIS} ms at most,
   * perhaps for nothing.
   */
  void await(Object lock) throws InterruptedException;

  /**
   * Opens a mailbox.
   *
   * @param receiver called on another thread
   * @return what closes it
   */
  Runnable open(String name, Consumer<Letter> receiver);

  /**
   * Submits the job of a crew, with a task per slot; does not wait for its tasks.
   *
   * @param name of the crew
   * @param atEnd called when it has ended, however that came
   */
  Job submit(String name, List<Executor> executors, Runnable atEnd);

  /** The crews whose tasks wait for slots, and {@code ""} if tasks of another job do. */
  Set<String> waiting();

  /**
   * Asks all executors for a sign of life; does not wait for it.
   *
   * @return whether it has come, by executor; a map to keep
   */
  Map<String, BooleanSupplier> askForSigns();

  /** What goes to executors, as bytes. */
  byte[] toBytes(Object work);

  /** What an executor's bytes say. */
  Object result(byte[] bytes);

  /** The job of a crew. */
  interface Job {

    boolean hasEnded();

    /**
     * Looks about every {@value Crew#LOOK_MILLIS} ms, on another thread.
     *
     * @param look whether to look again
     * @param atEnd called after the last look
     */
    void watch(BooleanSupplier look, Runnable atEnd);

    /** Throws Spark's exception if it was cancelled, as a round's own job would. */
    void rethrowCancellation();

    /**
     * Checks that it runs.
     *
     * @throws CrewTrouble if it has failed or ended
     */
    void check() throws CrewTrouble;

    /** Its members that run leave now. */
    void cancel();

    /**
     * Waits until its slots are free; cancels it if that takes long. Keeps the interrupt.
     *
     * @param millis after which it is cancelled
     */
    void close(long millis);
  }
}
