package io.sparkata;

import static org.apache.spark.sql.functions.expr;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparkata.spark.SparkBlocks;
import io.sparkata.testing.BlockingGradient;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.CrewListener;
import io.sparkata.testing.Faults;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.ResidentCluster;
import io.sparkata.testing.RoundLogs;
import io.sparkata.testing.SlotWaits;
import io.sparkata.testing.SteppingUpdater;
import io.sparkata.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageStatus;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * Losses and pauses in each phase of a round by message: stock models, and rounds by message go on.
 */
class ResidentFaultsIT extends ResidentCluster {
  private static final int ROWS = 1500;
  private static final int ITERATIONS = 400;
  private static final int STRIKE = 50;
  private static final int PAUSE_SECONDS = 4;
  private static final int QUERIES = 3;

  @TempDir static Path roundLogs;
  private Tuple2<Vector, double[]> stock;
  private CrewListener rounds;
  private long victim;
  private String victimId;

  private static Mllib training(JavaSparkContext spark, Gradient gradient) {
    int partitions = TestCluster.EXECUTORS;
    return Mllib.logistic(spark, ROWS, /* features= */ 20, partitions, ITERATIONS).with(gradient);
  }

  @Override
  protected TestCluster start() {
    stock = Mllib.stock(spark -> training(spark, new LogisticGradient()).trainByMllib());
    TestCluster started =
        TestCluster.startResident(Map.of("spark.ata.roundLog.path", roundLogs.toUri().toString()));
    rounds = CrewListener.of(started.context());
    return started;
  }

  @BeforeEach
  void chooseVictim() {
    victimId = cluster.runtime().cluster().live().get(0).id();
    victim = Processes.ofExecutor(cluster.context(), victimId);
  }

  @AfterEach
  void assertNoFallback() {
    assertThat(cluster.counters().fallbacks).hasValue(0);
  }

  /** Rounds by message since the strike. */
  private long train(Gradient gradient, Runnable strike) {
    AtomicLong before = new AtomicLong();
    SteppingUpdater updater =
        new SteppingUpdater(
            iteration -> {
              if (iteration == STRIKE) {
                before.set(cluster.counters().residentRounds.get());
                strike.run();
              }
            });
    Mllib.assertSame(training(cluster.context(), gradient).trainBySparkAta(null, updater), stock);
    return cluster.counters().residentRounds.get() - before.get();
  }

  private void kill() {
    Processes.kill9(victim);
  }

  @Test
  @Tag("nightly") // ResidentClusterIT kills one, too
  void train_executorKilledBetweenRounds_givesMllibsWeights() throws IOException {
    assertThat(train(new LogisticGradient(), this::kill)).isGreaterThan(ITERATIONS / 4);
    assertNoJobWaitedForTheVictim();
  }

  /** After a job has taken the crew's slots. */
  @Test
  @Tag("nightly") // ExecutorLossIT has jobs
  void train_executorKilledWhileRoundsAreJobs_givesMllibsWeights() {
    Runnable strike =
        () -> {
          assertThat(cluster.context().parallelize(List.of(1, 2, 3), 3).count()).isEqualTo(3);
          kill();
        };
    assertThat(train(new LogisticGradient(), strike)).isGreaterThan(ITERATIONS / 4);
  }

  @Test
  void train_executorKilledWhileItWorks_givesMllibsWeights(@TempDir Path folder)
      throws IOException {
    CompletableFuture<Void> killer =
        CompletableFuture.runAsync(
            () -> {
              Awaitility.await()
                  .pollInterval(Duration.ofMillis(5))
                  .until(() -> BlockingGradient.blocks(folder, victim));
              kill();
            });

    long resident =
        train(new BlockingGradient(folder), () -> BlockingGradient.mark(folder, victim));

    assertThat(killer).isCompleted();
    assertThat(resident).isGreaterThan(ITERATIONS / 4);
    assertNoJobWaitedForTheVictim();
  }

  /** A task that prefers a lost executor waits for it by spark.locality.wait. */
  private void assertNoJobWaitedForTheVictim() throws IOException {
    assertThat(RoundLogs.newest(roundLogs))
        .filteredOn(round -> round.path("repeated").asBoolean())
        .noneMatch(round -> round.path("execution").asText().equals("stage"));
  }

  /**
   * At the start of the method, before the crew's job is submitted, or before its members are
   * awaited.
   */
  @ParameterizedTest
  @ValueSource(strings = {"<init>", "run"})
  void train_executorKilledWhileACrewForms_givesMllibsWeights(String method) throws IOException {
    AtomicBoolean hasStruck = new AtomicBoolean();
    try (Faults killing =
        Faults.at(
            "io.sparkata.rounds.crew.Crew",
            method,
            1,
            arguments -> {
              if (!hasStruck.getAndSet(true)) {
                kill();
              }
            })) {
      assertThat(killing).isNotNull();
      assertThat(train(new LogisticGradient(), () -> {})).isGreaterThan(ITERATIONS / 4);
    }
    assertThat(hasStruck).isTrue();
    assertNoJobWaitedForTheVictim();
  }

  @Test
  void train_blocksLost_packsThemAgain() {
    long repacked = cluster.counters().repackedPartitions.get();

    long resident = train(new LogisticGradient(), this::dropBlocksOfVictim);

    assertThat(cluster.counters().repackedPartitions.get()).isGreaterThan(repacked);
    assertThat(resident).isGreaterThan(ITERATIONS / 4);
  }

  private void dropBlocksOfVictim() {
    assertThat(blocksOf(victimId)).isNotEmpty();
    blocksOf(victimId).forEach(id -> SparkBlocks.removeBlock(cluster.context().sc(), id));
  }

  /** The round asks Spark's master for the holders, finds none, packs, and asks again. */
  @Test
  @Tag("nightly") // the one before has lost blocks
  void train_everyBlockLostAsSparkKnows_packsThemAgainOnce() {
    long repacked = cluster.counters().repackedPartitions.get();

    long resident = train(new LogisticGradient(), this::dropEveryBlock);

    assertThat(cluster.counters().repackedPartitions.get())
        .isEqualTo(repacked + TestCluster.EXECUTORS);
    assertThat(resident).isGreaterThan(ITERATIONS / 4);
  }

  private void dropEveryBlock() {
    for (int i = 0; i < 11; i++) { // rounds ask for holders when a second has passed
      SteppingUpdater.waitShortlyFor(() -> false);
    }
    int rdd = blocksOf(victimId).get(0).rddId();
    cluster.context().env().blockManager().master().removeRdd(rdd, /* blocking= */ true);
  }

  private List<RDDBlockId> blocksOf(String executorId) {
    List<RDDBlockId> found = new ArrayList<>();
    for (StorageStatus status :
        cluster.context().env().blockManager().master().getStorageStatus()) {
      Iterator<BlockId> blocks = status.rddBlocks().keysIterator();
      while (blocks.hasNext()) {
        if (blocks.next() instanceof RDDBlockId id
            && status.blockManagerId().executorId().equals(executorId)) {
          found.add(id);
        }
      }
    }
    return found;
  }

  /** Members' signs of life and answers wait meanwhile. */
  @Test
  @Tag("nightly") // CrewProtocolTest has silence
  void train_driverPauses_isNoSilenceOfExecutors() {
    AtomicLong last = new AtomicLong();
    AtomicLong longest = new AtomicLong();
    SteppingUpdater updater =
        new SteppingUpdater(
            iteration -> {
              long now = System.nanoTime();
              long before = last.getAndSet(now);
              if (iteration > STRIKE) {
                longest.accumulateAndGet(now - before, Math::max);
              } else if (iteration == STRIKE) {
                Processes.pauseThisJvm(PAUSE_SECONDS);
              }
              if (iteration > ITERATIONS / 2 && longest.get() < 1e9) {
                SteppingUpdater.waitShortlyFor(() -> false); // the pause is still to come
              }
            });

    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      Mllib.assertSame(
          training(cluster.context(), new LogisticGradient()).trainBySparkAta(null, updater),
          stock);

      assertThat(Duration.ofNanos(longest.get()))
          .as("the pause came in mid-run")
          .isGreaterThan(Duration.ofSeconds(PAUSE_SECONDS - 1));
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }

  /** Queries get their slots while both trainings run, whose crews take turns. */
  @Test
  @Tag("nightly") // ResidentIT has two at once
  void train_twoAtOnceBesidesQueries_allEnd() {
    AtomicInteger queries = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    SteppingUpdater updater =
        new SteppingUpdater(
            iteration -> SteppingUpdater.waitShortlyFor(() -> queries.get() == QUERIES));
    List<CompletableFuture<Void>> both =
        IntStream.range(0, 2)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> {
                          Mllib.assertSame(
                              training(cluster.context(), new LogisticGradient())
                                  .trainBySparkAta(null, updater),
                              stock);
                          ended.incrementAndGet();
                        }))
            .toList();
    long before = cluster.counters().residentRounds.get();
    cluster.awaitResidentRounds(before + 5);

    SlotWaits waits = SlotWaits.of(cluster.context(), "queries");
    SparkSession session =
        SparkSession.builder().sparkContext(cluster.context().sc()).getOrCreate();
    cluster.context().setJobGroup("queries", "besides trainings");
    while (queries.get() < QUERIES) {
      long groups = session.range(0, 1000, 1, 6).groupBy(expr("id % 7")).count().count();
      assertThat(groups).isEqualTo(7);
      queries.incrementAndGet();
    }
    cluster.context().clearJobGroup();

    assertThat(ended).as("trainings that ended before the queries").hasValue(0);
    both.forEach(CompletableFuture::join);
    assertThat(cluster.counters().residentRounds.get() - before)
        .as("rounds by message, of both")
        .isGreaterThan(ITERATIONS);
    System.out.println("Milliseconds that stages waited for slots: " + waits.millis());
  }

  /** An event, an accumulator's update and a covered row for each row. */
  @Test
  void train_untroubled_countsEachRowOnceInEventsAccumulatorsAndCoverage() throws IOException {
    rounds.catchUp();
    long rowsBefore = rounds.rows();
    long accumulatedBefore = rounds.accumulatedRows();
    long roundsBefore = rounds.rounds();

    long resident = train(new LogisticGradient(), () -> {});

    rounds.catchUp();
    long samples = 0;
    long logged = 0;
    for (JsonNode round : RoundLogs.newest(roundLogs)) {
      if (round.get("execution").asText().equals("resident")) {
        logged++;
        samples += round.get("samples").asLong();
        long covered = 0;
        for (JsonNode worker : round.get("workers")) {
          covered += worker.get("rows").asLong();
        }
        assertThat(covered).isEqualTo(ROWS);
      }
    }
    assertThat(resident).isPositive();
    assertThat(logged).isEqualTo(rounds.rounds() - roundsBefore).isGreaterThan(ITERATIONS / 2);
    assertThat(samples)
        .isEqualTo(rounds.rows() - rowsBefore)
        .isEqualTo(rounds.accumulatedRows() - accumulatedBefore)
        .isPositive();
  }
}
