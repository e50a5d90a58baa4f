package io.sparkata.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.config.ReportLevel;
import io.sparkata.events.Rounds;
import io.sparkata.events.RoundsCompleted;
import io.sparkata.events.TrainingEnded;
import io.sparkata.report.JobTimes;
import io.sparkata.report.Reporter;
import io.sparkata.report.TrainingReport;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.SlowListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerUnpersistRDD;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Evaluations as spark.ml makes them: sums over a persisted RDD, one job each. */
@Tag("spark")
class ObserverTest {
  private static final int NUMBERS = 200;
  private static final int SUM = NUMBERS * (NUMBERS - 1) / 2;
  private static final int MANY_PARTITIONS = 8; // then treeAggregate adds a stage

  private final List<SparkListenerEvent> events = new CopyOnWriteArrayList<>();
  private final Reporter reporter =
      new Reporter(ReportLevel.LOG, System::nanoTime, events::add, Optional.empty());
  private CapturedLog log;
  private JavaSparkContext spark;
  private Observer observer;

  @BeforeEach
  void start() {
    log = CapturedLog.of("io.sparkata");
    spark = LocalSpark.startPlain(Map.of());
    observer = new Observer(spark.sc(), () -> Map.of("driver", 2), reporter);
  }

  @AfterEach
  void stop() {
    spark.close();
    log.close();
  }

  @Test
  void evaluate_callsOneByOne_areOneTrainingReportedOnce() {
    JavaRDD<Integer> data = cached(MANY_PARTITIONS);
    ObservedSums sums = observer.open(report(7), data.id());
    for (int i = 0; i < 4; i++) {
      assertThat(sums.<Integer>evaluate(() -> sum(data))).isEqualTo(SUM);
      assertThat(sum(data)).isEqualTo(SUM); // not of the training
    }

    sums.end();
    sums.end();

    assertThat(lines("observed training")).singleElement().asString().contains(" 7: ", "4 rounds");
    assertThat(sums.rounds().kept())
        .hasSize(4)
        .allSatisfy(
            round -> {
              assertThat(round.tasks()).hasSize(MANY_PARTITIONS);
              assertThat(round.tasks().stream().mapToDouble(task -> task.rows()).sum())
                  .isEqualTo(NUMBERS);
            });
    observer.close();
    assertThat(lines("Spark ATA observed in all: 1 training, 4 rounds")).hasSize(1);
  }

  @Test
  void evaluate_firstComputesTheData_isCountedAndNotKept() {
    JavaRDD<Integer> data = uncached(3).persist(StorageLevel.MEMORY_AND_DISK());
    ObservedSums sums = observer.open(report(1), data.id());
    for (int i = 0; i < 3; i++) {
      sums.evaluate(() -> sum(data));
    }

    sums.end();

    assertThat(sums.rounds().finished()).isEqualTo(3);
    assertThat(sums.rounds().kept())
        .hasSize(2)
        .allSatisfy(round -> assertThat(round.tasks().get(0).rows()).isPositive());
    assertThat(sums.rounds().cachingSeconds())
        .isPositive()
        .isLessThan(sums.rounds().summary(Map.of()).seconds());
    assertThat(lines("3 rounds in")).hasSize(1);
  }

  @Test
  void evaluate_firstComputesTheData_postsTheOtherRounds() {
    JavaRDD<Integer> data = uncached(3).cache();
    ObservedSums sums = observer.open(report(1), data.id());
    for (int i = 0; i < 3; i++) {
      sums.evaluate(() -> sum(data));
    }
    sums.end();

    List<Rounds> rounds =
        events.stream()
            .filter(RoundsCompleted.class::isInstance)
            .flatMap(event -> ((RoundsCompleted) event).rounds().stream())
            .toList();
    assertThat(rounds).extracting(Rounds::first).containsExactly(2, 3);
    assertThat(rounds)
        .allSatisfy(
            sum -> {
              assertThat(sum.count()).isOne();
              assertThat(sum.executors()).containsExactly("driver");
              assertThat(sum.rows()).containsExactly(NUMBERS);
              assertThat(sum.micros()).isPositive();
              assertThat(sum.longestMicros()).isLessThanOrEqualTo(sum.micros());
            });
    assertThat(events.get(events.size() - 1)).isInstanceOf(TrainingEnded.class);
  }

  @Test
  void end_onlyTheRoundThatCaches_savesNothing() {
    JavaRDD<Integer> data = uncached(3).cache();
    ObservedSums sums = observer.open(report(1), data.id());
    sums.evaluate(() -> sum(data));

    sums.end();

    assertThat(lines("1 round in"))
        .singleElement()
        .asString()
        .endsWith("with allocation: not known yet");
  }

  @Test
  void evaluate_notPersisted_keepsEveryRound() {
    JavaRDD<Integer> data = uncached(3);
    ObservedSums sums = observer.open(report(1), data.id());
    sums.evaluate(() -> sum(data));
    sums.evaluate(() -> sum(data));

    sums.end();

    assertThat(sums.rounds().kept()).hasSize(2);
    assertThat(sums.rounds().cachingSeconds()).isZero();
  }

  @Test
  void evaluate_twoThreads_areKeptApart() {
    List<CompletableFuture<ObservedSums>> both = new ArrayList<>();
    for (int evaluations : new int[] {2, 5}) {
      JavaRDD<Integer> data = cached(3);
      // Reports of two kinds of training may have the same number.
      ObservedSums sums = observer.open(report(1), data.id());
      both.add(
          CompletableFuture.supplyAsync(
              () -> {
                for (int i = 0; i < evaluations; i++) {
                  sums.evaluate(() -> sum(data));
                }
                return sums;
              }));
    }
    both.forEach(sums -> sums.join().end());

    assertThat(lines("1: .*2 rounds in")).hasSize(1);
    assertThat(lines("1: .*5 rounds in")).hasSize(1);
  }

  @Test
  void evaluate_nested_restoresTheOuterProperty() {
    JavaRDD<Integer> outerData = cached(3);
    JavaRDD<Integer> innerData = cached(2);
    ObservedSums outer = observer.open(report(1), outerData.id());
    ObservedSums inner = observer.open(report(2), innerData.id());
    spark.setLocalProperty(JobTimes.OBSERVED, "callers");

    outer.evaluate(
        () -> {
          String before = spark.getLocalProperty(JobTimes.OBSERVED);
          inner.evaluate(() -> sum(innerData));
          assertThat(spark.getLocalProperty(JobTimes.OBSERVED)).isEqualTo(before);
          return sum(outerData);
        });

    assertThat(spark.getLocalProperty(JobTimes.OBSERVED)).isEqualTo("callers");
    inner.end();
    outer.end();
    assertThat(inner.rounds().finished()).isEqualTo(1);
    assertThat(outer.rounds().finished()).isEqualTo(1);
  }

  @Test
  void evaluate_oneFails_throwsItAndCountsTheOthers() {
    JavaRDD<Integer> data = cached(3);
    ObservedSums sums = observer.open(report(1), data.id());
    sums.evaluate(() -> sum(data));

    assertThatThrownBy(
            () -> sums.evaluate(() -> data.treeAggregate(0, ObserverTest::fail, Integer::sum)))
        .isInstanceOf(SparkException.class)
        .hasMessageContaining("broken on purpose");

    assertThat(spark.getLocalProperty(JobTimes.OBSERVED)).isNull();
    sums.end();
    assertThat(sums.rounds().finished()).isEqualTo(1);
    assertThat(lines("1 round in")).hasSize(1);
  }

  @Test
  void evaluate_otherDataIsUnpersisted_goesOn() {
    JavaRDD<Integer> data = cached(3);
    JavaRDD<Integer> other = cached(2);
    ObservedSums sums = observer.open(report(1), data.id());
    sums.evaluate(() -> sum(data));
    other.unpersist();
    SparkListeners.awaitListeners(spark.sc(), /* millis= */ 60_000);
    sums.evaluate(() -> sum(data));

    sums.end();

    assertThat(lines("2 rounds in")).hasSize(1);
  }

  @Test
  void evaluate_afterTheEnd_onlyRuns() {
    JavaRDD<Integer> data = cached(3);
    ObservedSums sums = observer.open(report(1), data.id());
    sums.evaluate(() -> sum(data));
    sums.end();

    assertThat(sums.<Integer>evaluate(() -> sum(data))).isEqualTo(SUM);

    assertThat(sums.rounds().finished()).isEqualTo(1);
  }

  @Test
  void watch_aTrainingThatFails_reportsItsRounds() {
    JavaRDD<Integer> data = cached(3);

    assertThatThrownBy(
            () ->
                observer.watch(
                    report(1),
                    data.id(),
                    () -> {
                      assertThat(sum(data)).isEqualTo(SUM);
                      throw new IllegalStateException("stopped by the caller");
                    }))
        .hasMessage("stopped by the caller");

    assertThat(lines("1 round in")).hasSize(1);
  }

  /** Spark's listeners learn on threads of their own, one later than another, that a fit ended. */
  @Test
  void end_onAFasterListenersThread_reportsAllRounds() throws InterruptedException {
    JavaRDD<Integer> data = cached(3);
    ObservedSums sums = observer.open(report(1), data.id());
    CountDownLatch ended = new CountDownLatch(1);
    SparkListeners.addListener(spark.sc(), new SlowListener(ended), "ata"); // the observer's thread
    SparkListener faster =
        new SparkListener() {
          @Override
          public void onUnpersistRDD(SparkListenerUnpersistRDD event) {
            sums.end();
            ended.countDown();
          }
        };
    SparkListeners.addListener(spark.sc(), faster, "faster");
    sums.evaluate(() -> sum(data));

    data.unpersist();

    assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
    SparkListeners.awaitListeners(spark.sc(), /* millis= */ 60_000);
    assertThat(lines("1 round in")).hasSize(1);
    sums.end();
    assertThat(lines("observed training")).hasSize(1);
  }

  @Test
  void close_aTrainingIsOpen_reportsItToo() {
    JavaRDD<Integer> data = cached(3);
    ObservedSums sums = observer.open(report(1), data.id());
    sums.evaluate(() -> sum(data));

    spark.stop(); // Spark 3.5 stops its listener bus before the plugins
    observer.close();
    sums.end();

    assertThat(lines("Spark ATA observed training 1: .*1 round in")).hasSize(1);
    assertThat(lines("Spark ATA observed in all: 1 training, 1 round,")).hasSize(1);
    assertThat(log.messages(Level.WARN)).isEmpty();
  }

  private TrainingReport report(long number) {
    return reporter.begin(number, "lbfgs", /* data= */ null);
  }

  private JavaRDD<Integer> uncached(int partitions) {
    return spark
        .parallelize(IntStream.range(0, NUMBERS).boxed().toList(), partitions)
        .map(number -> number);
  }

  private JavaRDD<Integer> cached(int partitions) {
    JavaRDD<Integer> data = uncached(partitions).cache();
    assertThat(data.count()).isEqualTo(NUMBERS);
    return data;
  }

  private static int sum(JavaRDD<Integer> data) {
    return data.treeAggregate(0, Integer::sum, Integer::sum);
  }

  private static int fail(int sum, int number) {
    throw new IllegalStateException("broken on purpose");
  }

  private List<String> lines(String regex) {
    return log.messages(Level.INFO).stream()
        .filter(line -> line.matches(".*" + regex + ".*"))
        .toList();
  }
}
