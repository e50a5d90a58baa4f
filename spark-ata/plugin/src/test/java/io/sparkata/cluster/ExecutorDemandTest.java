package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.ExecutorDemand.Limits;
import io.sparkata.spark.SparkExecutors.DynamicAllocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("spark")
class ExecutorDemandTest {
  private static final int SLOTS = 2;
  private static final double SHORT = 0.4;
  private static final double LONG = 0.5;

  /** Twelve tasks on executors of two slots: six. */
  private static final Limits SIX = new Limits(12, 1, 1, 100);

  private final List<Integer> requests = new ArrayList<>();
  private int target = 1;
  private long nanos;

  private final DynamicAllocation allocation =
      new DynamicAllocation() {
        @Override
        public int target() {
          return target;
        }

        @Override
        public void request(int total) {
          requests.add(total);
        }
      };

  private final ExecutorDemand demand = demand(SIX);

  @Test
  void observe_allServingStay_asksForNone() {
    round("1 2 3", "1 2 3", SHORT);
    round("1 2 3", "1 2 3", SHORT);
    demand.close();

    assertThat(requests).isEmpty();
  }

  @Test
  void observe_servingExecutorsLost_asksForAsManyAsThereWereUntilTheyCome() {
    round("1 2 3 4", "1 2 3 4", SHORT);
    round("1 4", "1 4", SHORT);
    assertThat(requests).containsExactly(4);

    round("1 4 5", "1 4", SHORT);
    assertThat(requests).as("one of two has come, and four in all still are wanted").hasSize(1);

    round("1 4 5 6", "1 4 5", SHORT);
    assertThat(requests).as("Spark's own target again").containsExactly(4, 1);

    demand.close();
    assertThat(requests).hasSize(2);
  }

  @Test
  void observe_lostBeforeTheFirstRoundHasEnded_asksForAsManyAsThereWere() {
    demand.begin(() -> executors("1 2 3"));
    round("1 3", "1 3", SHORT);

    assertThat(requests).containsExactly(3);
  }

  /** Spark may let an executor go that took no part. */
  @Test
  void observe_executorThatTookNoPartGone_asksForNone() {
    round("1 2 3", "1 2", SHORT);
    round("1 2", "1 2", SHORT);

    assertThat(requests).isEmpty();
  }

  @Test
  void observe_moreLostWhileWaiting_asksForAllOfThem() {
    round("1 2 3 4", "1 2 3 4", SHORT);
    round("1 2 3", "1 2 3", SHORT);
    round("1 2", "1 2", SHORT);

    assertThat(requests).containsExactly(4);
    round("1 2 5 6", "1 2", SHORT);
    assertThat(requests).containsExactly(4, 1);
  }

  @Test
  void observe_roundsAsLongAsHalfOfWhatSparkWaits_doublesUpToMllibsTasks() {
    round("1 2", "1 2", LONG);
    round("1 2 3 4", "1 2 3 4", LONG);
    round("1 2 3 4 5 6", "1 2 3 4 5 6", LONG);

    assertThat(requests).containsExactly(4, 6, 1);
  }

  /** Six are enough for MLlib's twelve tasks. */
  @Test
  void observe_lostOfMoreThanMllibsTasksNeed_asksForNone() {
    round("1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8", SHORT);
    round("1 2 3 4 5 6", "1 2 3 4 5 6", SHORT);
    assertThat(requests).isEmpty();

    round("1 2 3 4 5", "1 2 3 4 5", SHORT);
    assertThat(requests).containsExactly(6);
  }

  @Test
  void observe_roundsThatAreShorter_asksForNoMore() {
    round("1 2", "1 2", SHORT);
    round("1 2", "1 2", SHORT);

    assertThat(requests).isEmpty();
  }

  @Test
  void observe_mostExecutorsReached_asksForNoMore() {
    ExecutorDemand bounded = demand(new Limits(12, 1, 1, 3));
    round(bounded, "1 2", "1 2", LONG);
    round(bounded, "1 2 3", "1 2 3", LONG);
    round(bounded, "1 2 3", "1 2 3", LONG);

    assertThat(requests).containsExactly(3, 1);
  }

  @Test
  void observe_sparkWantsMoreItself_asksForNoLess() {
    target = 9;
    round("1 2", "1 2", LONG);

    assertThat(requests).containsExactly(9);
  }

  @Test
  void observe_nobodyComes_asksAgainEveryFiveSeconds() {
    round("1 2 3", "1 2 3", SHORT);
    for (int second = 0; second < 11; second++) {
      round("1 2", "1 2", SHORT);
    }

    assertThat(requests).containsExactly(3, 3, 3);
    demand.close();
    assertThat(requests).as("Spark's own target again").containsExactly(3, 3, 3, 1);
  }

  @Test
  void observe_withinASecond_doesNotLookAgain() {
    round("1 2", "1 2", SHORT);
    nanos += Duration.ofMillis(999).toNanos();
    demand.observe(
        () -> {
          throw new AssertionError("looked");
        },
        Members.NONE,
        LONG);
  }

  @Test
  void observe_firstRound_looksAtOnce() {
    demand.observe(() -> executors("1 2 3"), Members.of(executors("1 2 3")), SHORT);
    round("1 2", "1 2", SHORT);

    assertThat(requests).containsExactly(3);
  }

  @Test
  void observe_noDynamicAllocation_neverLooks() {
    ExecutorDemand none = new ExecutorDemand(Optional.empty(), SIX, () -> nanos);
    none.begin(
        () -> {
          throw new AssertionError("looked");
        });
    nanos += Duration.ofMinutes(1).toNanos();
    none.observe(
        () -> {
          throw new AssertionError("looked");
        },
        Members.NONE,
        LONG);
    none.close();
  }

  /** Scala throws checked exceptions that it does not declare. */
  static Stream<Exception> refusals() {
    return Stream.of(
        new IllegalStateException("stopped"),
        new SparkException("no answer"),
        new TimeoutException("no answer in time"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void observe_requestFails_isNoTroubleOfTheTraining(Exception refusal) {
    ExecutorDemand refused = refused(refusal);

    round(refused, "1 2", "1 2", LONG);
    refused.close();
  }

  @Test
  void observe_interruptedWhileAsking_staysInterrupted() {
    round(refused(new InterruptedException()), "1 2", "1 2", LONG);

    assertThat(Thread.interrupted()).isTrue();
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E unchecked(Exception error) throws E {
    throw (E) error;
  }

  private ExecutorDemand refused(Exception refusal) {
    return new ExecutorDemand(
        Optional.of(
            new DynamicAllocation() {
              @Override
              public int target() {
                throw ExecutorDemandTest.<RuntimeException>unchecked(refusal);
              }

              @Override
              public void request(int total) {
                throw new AssertionError("not reached");
              }
            }),
        SIX,
        () -> nanos);
  }

  @Test
  void limits_nothingSet_areSparksDefaults() {
    assertThat(Limits.of(new SparkConf(false), 7))
        .isEqualTo(new Limits(7, 1, 1, Integer.MAX_VALUE));
  }

  @Test
  void limits_set_areSparks() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.dynamicAllocation.executorAllocationRatio", "0.5")
            .set("spark.dynamicAllocation.schedulerBacklogTimeout", "2s")
            .set("spark.dynamicAllocation.maxExecutors", "40");

    assertThat(Limits.of(conf, 7)).isEqualTo(new Limits(7, 0.5, 2, 40));
  }

  private ExecutorDemand demand(Limits limits) {
    return new ExecutorDemand(Optional.of(allocation), limits, () -> nanos);
  }

  private void round(String present, String serving, double seconds) {
    round(demand, present, serving, seconds);
  }

  /** A second after the last one; ids between blanks. */
  private void round(ExecutorDemand asking, String present, String serving, double seconds) {
    nanos += Duration.ofSeconds(1).toNanos();
    asking.observe(() -> executors(present), Members.of(executors(serving)), seconds);
  }

  private static List<Executor> executors(String ids) {
    return Stream.of(ids.split(" "))
        .map(id -> new Executor(id, "host", SLOTS, 0, Device.CPU))
        .toList();
  }
}
