package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.memory.LeftOutExecutors.Found;
import io.sparkata.placement.CostModel;
import io.sparkata.rounds.Participants.Ran;
import io.sparkata.testing.CapturedLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Simulates rounds with rows in proportion to speeds. A round takes the time of the longest kernel
 * and a part for each executor that takes part, times a random factor mostly within a tenth of 1.
 */
class ParticipantsTest {
  private static final long ROWS = 1_000_000;
  private static final int ROUNDS = 1_000;
  private static final double NOISE = 0.1;

  private final Random random = new Random(1);
  private final List<Integer> counts = new ArrayList<>();
  private double secondsPerExecutor = 0.004;
  private double kernelSeconds = 0.004; // of one executor of speed 1 with all rows
  private double secondsBefore; // of rounds before the executors' parts
  private long bytes = 1_000_000;
  private long freeBytes = 1_000_000_000;
  private double[] speeds = {1, 1, 1};
  private Members live = Members.NONE;
  private Participants participants = participants(/* mayLeaveOut= */ true, Optional.empty());

  /** The shortest round by the formula; with all serving it is so many times as long. */
  @ParameterizedTest
  @CsvSource({
    // executors, seconds of each, of the kernel, within
    "3, 0.004, 0.004, 1.1", // 1.7
    "3, 0.0005, 0.012, 1.1", // 1; with one less 1.3
    "8, 0.002, 0.001, 1.1", // 5.4
    "8, 0.001, 0.03, 1.15", // 1.1; with half of them 1.05, with two 1.6
    "40, 0.0005, 0.05, 1.15", // 2.1
    "200, 0.0003, 0.1, 1.25", // 5.5
  })
  void of_evenExecutors_comesCloseToTheBestNumber(
      int executors, double perExecutor, double kernel, double within) {
    speeds = new double[executors];
    Arrays.fill(speeds, 1);
    secondsPerExecutor = perExecutor;
    kernelSeconds = kernel;

    play(ROUNDS);

    double best = IntStream.rangeClosed(1, executors).mapToDouble(this::even).min().orElseThrow();
    assertThat(even(counts.get(ROUNDS - 1))).isLessThan(within * best);
  }

  @Test
  void of_kernelsTakeMostOfTheTime_neverLeavesOneOut() {
    kernelSeconds = 1;

    play(ROUNDS);

    assertThat(counts).containsOnly(3);
  }

  @Test
  void of_fetchingTakesLongerThanCouldBeGained_neverLeavesOneOut() {
    bytes = 1_000_000_000; // 333 MB at 100 MB/s by each of two
    freeBytes = bytes;
    participants = participants(/* mayLeaveOut= */ true, Optional.empty());

    play(/* rounds= */ 300);

    assertThat(counts).containsOnly(3);
  }

  @Test
  void of_noMemoryForTheRowsOfOthers_neverLeavesOneOut() {
    freeBytes = 1000;

    play(ROUNDS);

    assertThat(counts).containsOnly(3);
  }

  @Test
  void of_policyThatWantsAll_neverLeavesOneOut() {
    participants = participants(/* mayLeaveOut= */ false, Optional.empty());

    play(ROUNDS);

    assertThat(counts).containsOnly(3);
  }

  /** The time of rounds besides kernels may not depend on executors, which only a trial shows. */
  @Test
  void of_executorsAddNothing_triesAndGoesBackLessAndLessOften() {
    secondsPerExecutor = 0;
    secondsBefore = 0.012;

    play(ROUNDS);

    assertThat(counts.get(ROUNDS - 1)).isEqualTo(3);
    assertThat(counts.stream().filter(w -> w < 3).count()).isBetween(1L, 60L);
  }

  @Test
  void of_oneSlow_leavesThatOneOutFirst() {
    speeds = new double[] {1, 0.5, 1};

    List<Executor> all = executors();
    List<Executor> serving = all;
    for (int round = 0; serving.size() == 3; round++) {
      serving = playRound(all, ROUNDS - round);
    }

    assertThat(serving).containsExactly(all.get(0), all.get(2));
  }

  @Test
  void observe_rest_isLoggedOnceWithWhomAndHowLong() {
    kernelSeconds = 0.012; // so that a second one pays no more
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      play(/* rounds= */ 60);

      assertThat(log.messages(Level.INFO))
          .singleElement()
          .asString()
          .matches(
              "Spark ATA: using 2 of 3 executors: median round 1\\d ms, down from [12]\\d ms;"
                  + " without e2");
    }
  }

  @Test
  void of_roundsGetLongerAgain_allAreBack() {
    play(/* rounds= */ 200);
    assertThat(counts.get(199)).isLessThan(3);

    kernelSeconds = 0.1; // the same rows take longer now
    play(/* rounds= */ 60);

    assertThat(counts.get(259)).isEqualTo(3);
  }

  @Test
  void of_executorsNoLongerAddAnything_allAreBackSomeTime() {
    play(/* rounds= */ 200);
    assertThat(counts.get(199)).isLessThan(3);

    secondsBefore = secondsPerExecutor; // so that rounds do not get longer
    secondsPerExecutor = 0;
    kernelSeconds = 0.004;
    play(ROUNDS);

    assertThat(counts.get(ROUNDS + 199)).isEqualTo(3);
  }

  @Test
  void of_allWhoServeAreGone_theOthersServe() {
    play(/* rounds= */ 200);
    List<Executor> all = executors();
    List<Executor> served = serving(all);
    List<Executor> rest = all.stream().filter(one -> !served.contains(one)).toList();
    assertThat(rest).isNotEmpty();

    assertThat(serving(rest)).isEqualTo(rest);
  }

  @Test
  void of_newExecutor_servesAtOnce() {
    play(/* rounds= */ 200);
    List<Executor> served = serving(executors());
    speeds = new double[] {1, 1, 1, 1};

    List<Executor> all = executors();
    assertThat(serving(all)).containsAll(served).contains(all.get(3)).hasSizeLessThan(4);
  }

  @Test
  void of_anExecutorGoesDuringATrial_theTrialEnds() {
    List<Executor> all = executors();
    List<Executor> serving = all;
    for (int round = 0; serving.size() == 3; round++) {
      serving = playRound(all, ROUNDS - round);
    }

    List<Executor> two = List.of(all.get(0), all.get(2));
    assertThat(serving(two)).isEqualTo(two);
  }

  private Participants participants(boolean mayLeaveOut, Optional<Found> before) {
    return new Participants(mayLeaveOut, bytes, ROUNDS, before);
  }

  @Test
  void of_nextTraining_beginsWhereTheLastHasEnded() {
    play(/* rounds= */ 200);
    List<Executor> served = serving(executors());
    assertThat(served).hasSizeLessThan(3);

    participants = participants(/* mayLeaveOut= */ true, Optional.of(participants.found()));
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      assertThat(serving(executors())).isEqualTo(served);
      assertThat(serving(executors())).isEqualTo(served);

      assertThat(log.messages(Level.INFO))
          .containsExactly("Spark ATA: using 1 of 3 executors, as before; without e2, e1");
    }
    play(/* rounds= */ 100);
    assertThat(counts.subList(200, 300)).containsOnly(served.size());
  }

  @Test
  void of_nextTrainingWhereFetchingDoesNotPay_beginsWithAllAndKeepsWhatWasFound() {
    play(/* rounds= */ 200);
    Found found = participants.found();
    assertThat(found.groups()).isNotEmpty();
    double seconds = found.savedSeconds() * ROUNDS;
    assertThat(seconds).as("three executors take 13.3 ms, one takes 8").isBetween(5.0, 7.0);

    bytes =
        (long) (0.51 * seconds * 100e6 * 3 / 2); // of which two thirds are fetched, at double cost
    participants = participants(/* mayLeaveOut= */ true, Optional.of(found));
    assertThat(serving(executors())).hasSize(3);
    assertThat(participants.found()).isEqualTo(found);

    bytes = (long) (0.49 * seconds * 100e6 * 3 / 2);
    participants = participants(/* mayLeaveOut= */ true, Optional.of(found));
    assertThat(serving(executors())).hasSize(1);

    freeBytes = bytes / 2;
    participants = participants(/* mayLeaveOut= */ true, Optional.of(found));
    assertThat(serving(executors())).as("no room for two thirds").hasSize(3);
  }

  @Test
  void found_allWhoRestedAreGone_isNothing() {
    play(/* rounds= */ 200);
    List<Executor> served = serving(executors());

    Participants next = participants(/* mayLeaveOut= */ true, Optional.of(participants.found()));

    assertThat(next.of(members(served), () -> cost(served)).executors()).isEqualTo(served);
    assertThat(next.found().groups()).isEmpty();
    assertThat(next.found().savedSeconds()).isZero();
  }

  @Test
  void found_duringATrial_isWhatWasBefore() {
    List<Executor> all = executors();
    List<Executor> serving = all;
    for (int round = 0; serving.size() == 3; round++) {
      serving = playRound(all, ROUNDS - round);
    }

    assertThat(participants.found().groups()).isEmpty();
  }

  /** As in one long training: {@link #of_executorsAddNothing_triesAndGoesBackLessAndLessOften}. */
  @Test
  void of_tenTrainingsWhereExecutorsAddNothing_tryLessAndLessOften() {
    secondsPerExecutor = 0;
    secondsBefore = 0.012;

    for (int training = 0; training < 10; training++) {
      play(ROUNDS / 10);
      participants = participants(/* mayLeaveOut= */ true, Optional.of(participants.found()));
    }

    assertThat(counts.stream().filter(w -> w < 3).count()).isBetween(1L, 60L);
  }

  @Test
  void of_nextTrainingWhoseRoundsTakeLonger_triesAtOnceWhatWasInVain() {
    secondsPerExecutor = 0;
    secondsBefore = 0.012;
    play(/* rounds= */ 60);
    int tried = (int) counts.stream().filter(w -> w < 3).count();
    assertThat(tried).as("a trial, which failed").isPositive();
    Found found = participants.found();

    participants = participants(/* mayLeaveOut= */ true, Optional.of(found));
    play(/* rounds= */ 50);
    assertThat(counts.subList(60, 110)).as("as long as before").containsOnly(3);

    secondsPerExecutor = 0.02;
    participants = participants(/* mayLeaveOut= */ true, Optional.of(found));
    play(/* rounds= */ 50);
    assertThat(counts.get(159)).isLessThan(3);
  }

  private double even(int executors) {
    return secondsBefore + secondsPerExecutor * executors + kernelSeconds / executors;
  }

  private List<Executor> executors() {
    return IntStream.range(0, speeds.length)
        .mapToObj(i -> new Executor("e" + i, "host", /* slots= */ 1, freeBytes, Device.CPU))
        .toList();
  }

  private Members members(List<Executor> all) {
    live = live.next(all);
    return live;
  }

  /** Fetches of 100 MB/s. */
  private static CostModel cost(List<Executor> executors) {
    double[] none = new double[executors.size()];
    double[] rates = new double[executors.size()];
    Arrays.fill(rates, 100e6);
    return new CostModel(none, none, rates);
  }

  private List<Executor> serving(List<Executor> all) {
    return participants.of(members(all), () -> cost(all)).executors();
  }

  private void play(int rounds) {
    for (int round = 1; round <= rounds; round++) {
      playRound(executors(), rounds - round);
    }
  }

  /** Returns those who serve afterwards. */
  private List<Executor> playRound(List<Executor> all, int roundsLeft) {
    List<Executor> serving = serving(all);
    counts.add(serving.size());
    double[] served =
        serving.stream()
            .mapToDouble(one -> speeds[Integer.parseInt(one.id().substring(1))])
            .toArray();
    double total = Arrays.stream(served).sum();
    long[] rows =
        Arrays.stream(served).mapToLong(speed -> Math.round(ROWS * speed / total)).toArray();
    double kernel = kernelSeconds / total;
    double ran =
        (secondsBefore + secondsPerExecutor * served.length + kernel)
            * (1 + NOISE * Math.abs(random.nextGaussian()));
    participants.observe(new Ran(rows, ran, kernel, roundsLeft), cost(serving));
    return serving(all);
  }
}
