package io.sparkata.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.BrokenGradient;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Tests on one cluster with rounds by message. Each finds all executors and leaves nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ResidentCluster {
  protected TestCluster cluster;
  protected Leftovers leftovers;

  /** Trains with stock Spark, and then starts the cluster. */
  protected abstract TestCluster start();

  @BeforeAll
  protected void startCluster() {
    cluster = start();
  }

  @AfterAll
  protected void stopCluster() {
    cluster.close();
  }

  @BeforeEach
  protected void watchLeftovers() {
    cluster.awaitExecutors(TestCluster.EXECUTORS);
    leftovers = Leftovers.watch(cluster.context());
  }

  /** Starts a training, and waits until it has had some rounds by message. */
  protected final <T extends CompletableFuture<?>> T inMidRun(Supplier<T> start) {
    long rounds = cluster.counters().residentRounds.get();
    T training = start.get();
    cluster.awaitResidentRounds(rounds + 20);
    return training;
  }

  /**
   * Another job gets its slots from a training, which takes them again and then is cancelled.
   *
   * @param start starts a training in this job group
   */
  protected final void assertYieldsSlots(String group, Supplier<CompletableFuture<?>> start) {
    CompletableFuture<?> training = inMidRun(start);

    long count = cluster.context().parallelize(IntStream.range(0, 60).boxed().toList(), 6).count();

    assertThat(count).isEqualTo(60);
    assertThat(training).as("all slots are the training's").isNotDone();
    long before = cluster.counters().residentRounds.get();
    cluster.awaitResidentRounds(before + 20); // it takes the slots again
    cluster.context().cancelJobGroup(group);
    assertThatThrownBy(training::join).hasStackTraceContaining("cancelled job group " + group);
  }

  /** The exception of a user's gradient ends the training. */
  protected static void assertGradientsExceptionEnds(Mllib training) {
    Mllib broken = training.with(new BrokenGradient());
    assertThatThrownBy(() -> broken.trainBySparkAta(null))
        .hasStackTraceContaining(BrokenGradient.MESSAGE);
  }

  @AfterEach
  protected void awaitNoLeftovers() {
    leftovers.awaitNone();
  }
}
