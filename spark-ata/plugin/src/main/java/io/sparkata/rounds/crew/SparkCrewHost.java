package io.sparkata.rounds.crew;

import io.sparkata.cluster.Executor;
import io.sparkata.cluster.ResidentRound;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.spark.LifeSigns;
import io.sparkata.spark.Mailbox;
import io.sparkata.spark.Mailbox.Letter;
import io.sparkata.spark.Serialized;
import io.sparkata.spark.SparkExecutors;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;

/** Crews as jobs of a SparkContext. Driver only, thread-safe. */
class SparkCrewHost implements CrewHost {
  private final SparkContext context;
  private final RoundAccumulators accumulators;

  /**
   * @param accumulators of the training
   */
  SparkCrewHost(SparkContext context, RoundAccumulators accumulators) {
    this.context = context;
    this.accumulators = accumulators;
  }

  SparkContext context() {
    return context;
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
    return Mailbox.open(context, name, receiver)::close;
  }

  @Override
  public Job submit(String name, List<Executor> executors, Runnable atEnd) {
    CrewJob job = new CrewJob(context, name, executors, accumulators, atEnd);
    job.start();
    return job;
  }

  @Override
  public Map<String, BooleanSupplier> askForSigns() {
    return LifeSigns.ask(context);
  }

  @Override
  public Set<String> waiting() {
    try {
      return SparkExecutors.waitingJobs(context, ResidentRound.CREW);
    } catch (RuntimeException changing) { // Spark sorts by counts that its scheduler changes
      return Set.of();
    }
  }

  @Override
  public byte[] toBytes(Object work) {
    return Serialized.work(work);
  }

  @Override
  public Object result(byte[] bytes) {
    return Serialized.result(bytes);
  }
}
