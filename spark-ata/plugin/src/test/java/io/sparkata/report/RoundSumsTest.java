package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RoundSumsTest {
  private static final Offset<Double> CLOSE = within(1e-9);

  private final RoundSums sums = new RoundSums();

  /** Rounds of 1 s but for a first one of 31 s: the median times the rounds would be 10 s. */
  @Test
  void summary_oneLongRound_sumsWhatWasMeasured() {
    sums.round(31, List.of(share("a", 50, 30), share("b", 50, 30)));
    rounds(9, 1, share("a", 50, 0.9), share("b", 50, 0.9));

    assertThat(sums.summary().rounds()).isEqualTo(10);
    assertThat(sums.summary().seconds()).isCloseTo(40, CLOSE);
    assertThat(saved()).as("shares were equal").isCloseTo(0, CLOSE);
  }

  /** a takes 10 ms per row, b 40 ms: 80 and 20 rows take 0.8 s each, 50 rows take b 2 s. */
  @Test
  void summary_sharesBySpeed_comparesWithTheSlowestsEqualShare() {
    rounds(20, 1, share("a", 80, 0.8), share("b", 20, 0.8));

    assertThat(saved()).isCloseTo(20 * (2 - 0.8), CLOSE);
    assertThat(sums.summary().unmeasured()).isEmpty();
  }

  @Test
  void summary_sharesAgainstSpeed_areALoss() {
    rounds(20, 3.4, share("a", 20, 0.2), share("b", 80, 3.2));

    assertThat(saved()).isCloseTo(20 * (2 - 3.2), CLOSE);
  }

  @Test
  void summary_overhead_isPaidByEqualSharesToo() {
    sums.overhead("a", 0);
    sums.overhead("b", 0.2);
    rounds(20, 1, share("a", 80, 0.8), share("b", 20, 0.8));

    assertThat(saved()).isCloseTo(20 * (2 - 0.8), CLOSE);
  }

  /** Equal shares would have read the blocks where they were packed. */
  @Test
  void summary_blocksWereFetched_isOurOwnCost() {
    rounds(20, 1.5, share("a", 50, 1), share("b", 50, 1));
    ExecutorShare fetching = new ExecutorShare("a", "host-a", 50, 1, 0.5, 1000);
    sums.round(2, List.of(fetching, share("b", 50, 1)));

    assertThat(saved()).isCloseTo(-0.5, CLOSE);
    assertThat(sums.summary().moved().waitedSeconds()).isCloseTo(0.5, CLOSE);
  }

  @Test
  void summary_blocksWereFetchedInTheWait_wereNotWaitedFor() {
    ExecutorShare fetched = new ExecutorShare("a", "host-a", 50, 1, 0, 1000);
    rounds(20, 1.5, fetched, share("b", 50, 1));

    assertThat(sums.summary().moved()).isEqualTo(new MovedRows(20_000, 1, 0));
  }

  /** While it sends blocks, b takes 2 s for what takes it 0.5 s. */
  @Test
  void summary_blocksWereFetched_sendersAreNotSlow() {
    rounds(20, 1, share("a", 50, 0.5), share("b", 50, 0.5));
    ExecutorShare fetching = new ExecutorShare("a", "host-a", 80, 0.8, 1.7, 1000);
    sums.round(2.5, List.of(fetching, share("b", 20, 2)));

    assertThat(saved()).isCloseTo(0.5 - 2.5, CLOSE);
  }

  /** Then nothing is known when it ends. */
  @Test
  void summary_blocksWereFetchedFirst_isComparedLater() {
    ExecutorShare fetching = new ExecutorShare("a", "host-a", 80, 0.8, 1.7, 1000);
    sums.round(2.5, List.of(fetching, share("b", 20, 2)));
    rounds(20, 1, share("a", 50, 0.5), share("b", 50, 0.5));

    assertThat(saved()).isCloseTo(0.5 - 2.5, CLOSE);
    assertThat(sums.summary().slowest().orElseThrow().even().kernel()).isCloseTo(0.5, CLOSE);
  }

  /** One stray round of an executor with few rows must not look like a slow executor. */
  @Test
  void summary_aPause_isOutvoted() {
    for (int round = 1; round <= 20; round++) {
      double pausing = round == 10 ? 9 : 0.8;
      sums.round(1, List.of(share("a", 80, 0.8), share("b", 20, pausing), share("c", 80, 0.8)));
    }

    assertThat(saved()).isCloseTo(20 * (2.4 - 0.8), CLOSE);
  }

  /** One exploring share to a cold JVM: 100 times as slow as it is, then the executor rests. */
  @Test
  void summary_oneColdShare_isNotCharged() {
    sums.round(10, List.of(share("a", 80, 0.8), share("b", 20, 10)));
    rounds(30, 1, share("a", 100, 1), share("b", 0, 0));

    assertThat(saved()).as("b's rows cost nothing").isCloseTo(30 * (0.5 - 1), CLOSE);
    assertThat(sums.summary().unmeasured()).contains("b");
    assertThat(sums.summary().slowest()).isEmpty();
  }

  @Test
  void summary_executorThatRests_keepsItsSpeed() {
    rounds(20, 1, share("a", 80, 0.8), share("b", 20, 0.8));
    rounds(20, 1.2, share("a", 100, 1.0), share("b", 0, 0));

    assertThat(saved()).isCloseTo(20 * 1.2 + 20 * (2 - 1.0), CLOSE);
  }

  @Test
  void summary_fewRounds_saysNothing() {
    rounds(9, 1, share("a", 80, 0.8), share("b", 20, 0.8));

    assertThat(sums.summary().saved()).isEmpty();
  }

  @Test
  void summary_packing_isSummed() {
    sums.packed(3, /* isSum= */ false);
    sums.packed(1, /* isSum= */ true);

    assertThat(sums.summary().packSeconds()).isEqualTo(4);
    assertThat(sums.summary().isPackingASum()).isTrue();
  }

  @Test
  void summary_noRows_savesNothing() {
    rounds(20, 0.1, share("a", 0, 0), share("b", 0, 0));

    assertThat(saved()).isZero();
    assertThat(sums.summary().slowest()).isEmpty();
  }

  @Test
  void summary_slowKernel_isTheSlowest() {
    rounds(20, 1, share("a", 80, 0.8), share("b", 20, 0.8), share("c", 80, 0.8));
    SlowestExecutor slowest = sums.summary().slowest().orElseThrow();

    assertThat(slowest.even().executor()).isEqualTo("b");
    assertThat(slowest.even().host()).isEqualTo("host-b");
    assertThat(slowest.even().seconds()).isCloseTo(2.4, CLOSE);
    assertThat(slowest.medianSeconds()).isCloseTo(0.6, CLOSE);
  }

  @Test
  void summary_slowTasksBesidesTheirKernels_areInIt() {
    for (String executor : List.of("a", "b", "c")) {
      sums.overhead(executor, executor.equals("c") ? 0.4 : 0.1);
    }
    rounds(20, 1, share("a", 50, 0.5), share("b", 50, 0.5), share("c", 50, 0.6));
    SlowestExecutor slowest = sums.summary().slowest().orElseThrow();

    assertThat(slowest.even().executor()).isEqualTo("c");
    assertThat(slowest.even().overhead()).isEqualTo(0.4);
    assertThat(slowest.even().kernel()).isCloseTo(0.6, CLOSE);
  }

  private void rounds(int count, double seconds, ExecutorShare... shares) {
    IntStream.range(0, count).forEach(round -> sums.round(seconds, List.of(shares)));
  }

  private double saved() {
    return sums.summary().saved().orElseThrow().seconds();
  }

  private static ExecutorShare share(String executor, long rows, double seconds) {
    return new ExecutorShare(executor, "host-" + executor, rows, seconds, 0, 0);
  }
}
