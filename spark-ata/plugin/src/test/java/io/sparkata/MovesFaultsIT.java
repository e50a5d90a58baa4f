package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.cluster.Executor;
import io.sparkata.placement.PlacementPlan.Move;
import io.sparkata.rounds.Round;
import io.sparkata.spark.SparkBlocks;
import io.sparkata.testing.Faults;
import io.sparkata.testing.LaggingGradient;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.ResidentCluster;
import io.sparkata.testing.TestCluster;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;

/** Faults while executors fetch blocks of a slow one: stock's weights, and nothing left. */
@Tag("nightly") // ResidentFaultsIT and ExecutorLossIT lose executors and blocks, whatever moves
class MovesFaultsIT extends ResidentCluster {
  private static final int ROWS = 6000;
  private static final int FEATURES = 50;
  private static final int ITERATIONS = 60;
  private static final String GROUP = "moves";

  /** An even round lasts a tenth of a second, most of which two executors wait and fetch. */
  private static final long SLOW_NANOS = 200_000;

  private static final int FEWEST_MOVES = 3;
  private static final long UNDER_WAY_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

  private Tuple2<Vector, double[]> stock;
  private long sender;
  private long receiver;
  private int trainings;

  private enum Fault {
    SENDER_KILLED,
    RECEIVER_KILLED,
    SENDER_STOPPED,
    BLOCKS_DROPPED
  }

  private static Mllib training(JavaSparkContext spark) {
    return Mllib.logistic(spark, ROWS, FEATURES, /* partitions= */ 3, ITERATIONS);
  }

  @Override
  protected TestCluster start() {
    stock = Mllib.stock(spark -> training(spark).trainByMllib());
    return TestCluster.startResident(Map.of("spark.ata.policy", "adaptive"));
  }

  @ParameterizedTest
  @EnumSource
  void train_faultWhileBlocksMove_givesMllibsWeights(Fault fault) {
    try {
      Mllib.assertSame(train(moves -> strike(fault, moves)), stock);
    } finally {
      Processes.goOn(sender);
    }
    assertThat(cluster.counters().fallbacks).hasValue(0);
    if (fault == Fault.SENDER_STOPPED) {
      cluster.awaitExecutors(TestCluster.EXECUTORS);
      leftovers.awaitNothingPersisted();
      Processes.kill9(sender); // with its pieces of broadcasts that were destroyed meanwhile
    }
  }

  @Test
  void train_cancelledWhileBlocksMove_endsAndLeavesNothing() {
    cluster.context().setJobGroup(GROUP, GROUP);
    try {
      assertThatThrownBy(() -> train(moves -> cluster.context().cancelJobGroup(GROUP)))
          .hasStackTraceContaining("cancelled job group " + GROUP);
    } finally {
      cluster.context().clearJobGroup();
    }
    Mllib.assertSame(training(cluster.context()).trainBySparkAta(null), stock);
  }

  /** Trains, and strikes once while moves are under way; not before the crew has come. */
  private Tuple2<Vector, double[]> train(Consumer<List<Move>> strike) {
    List<Executor> live = cluster.runtime().cluster().live();
    String slow = live.get(trainings % live.size()).id(); // another one than is remembered
    trainings++;
    sender = Processes.ofExecutor(cluster.context(), slow);
    receiver = Processes.ofExecutor(cluster.context(), live.get(trainings % live.size()).id());
    LaggingGradient gradient = new LaggingGradient(slow, SLOW_NANOS);
    AtomicReference<CompletableFuture<Void>> struck = new AtomicReference<>();
    long before = cluster.counters().residentRounds.get();
    Consumer<Object[]> beforeARound =
        arguments -> {
          List<Move> moves = ((Round<?>) arguments[0]).plan().placement().moves();
          boolean isFormed = cluster.counters().residentRounds.get() > before;
          if (isFormed && moves.size() >= FEWEST_MOVES && struck.get() == null) {
            struck.set(CompletableFuture.runAsync(() -> strikeSoon(strike, moves)));
          }
        };
    String runner = "io.sparkata.rounds.crew.ResidentRunner";
    try (Faults faults = Faults.at(runner, "byMessage", 1, beforeARound)) {
      assertThat(faults).isNotNull();
      return training(cluster.context()).with(gradient).trainBySparkAta(null);
    } finally {
      assertThat(struck.get()).as("blocks moved, and the fault came in time").isCompleted();
    }
  }

  private static void strikeSoon(Consumer<List<Move>> strike, List<Move> moves) {
    LockSupport.parkNanos(UNDER_WAY_NANOS);
    strike.accept(moves);
  }

  private void strike(Fault fault, List<Move> moves) {
    switch (fault) {
      case SENDER_KILLED -> Processes.kill9(sender);
      case RECEIVER_KILLED -> Processes.kill9(receiver);
      case SENDER_STOPPED -> Processes.stop(sender);
      case BLOCKS_DROPPED ->
          moves.forEach(move -> SparkBlocks.removeBlock(cluster.context().sc(), move.block().id()));
    }
  }
}
