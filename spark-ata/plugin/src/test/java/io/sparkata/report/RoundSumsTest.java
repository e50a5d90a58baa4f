package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RoundSumsTest {
  private static final Offset<Double> CLOSE = within(1e-9);

  private final RoundSums sums = new RoundSums();

  /** Rounds of 1 s but for a first one of 31 s: the median times the rounds would be 10 s. */
  @Test
  void summary_oneLongRound_sumsWhatWasMeasured() {
    sums.round(31, List.of(share("a", 50, 30), share("b", 50, 30)));
    for (int round = 2; round <= 10; round++) {
      sums.round(1, List.of(share("a", 50, 0.9), share("b", 50, 0.9)));
    }

    assertThat(sums.summary().rounds()).isEqualTo(10);
    assertThat(sums.summary().seconds()).isCloseTo(40, CLOSE);
    assertThat(sums.summary().evenSeconds()).as("shares were equal").isCloseTo(40, CLOSE);
  }

  /** a takes 10 ms per row, b 40 ms: 80 and 20 rows take 0.8 s each, 50 rows take b 2 s. */
  @Test
  void summary_sharesBySpeed_comparesWithTheSlowestsEqualShare() {
    sums.round(1, List.of(share("a", 80, 0.8), share("b", 20, 0.8)));

    assertThat(sums.summary().evenSeconds()).isCloseTo(1 + 2 - 0.8, CLOSE);
  }

  @Test
  void summary_sharesAgainstSpeed_areALoss() {
    sums.round(3.4, List.of(share("a", 20, 0.2), share("b", 80, 3.2)));

    assertThat(sums.summary().evenSeconds()).isCloseTo(3.4 + 2 - 3.2, CLOSE);
  }

  /** Equal shares would have read the blocks where they were packed. */
  @Test
  void summary_blocksWereFetched_isOurOwnCost() {
    ExecutorShare fetching = new ExecutorShare("a", "host-a", 50, 1, 0.5, 1.5);
    sums.round(2, List.of(fetching, share("b", 50, 1)));

    assertThat(sums.summary().evenSeconds()).isCloseTo(1.5, CLOSE);
  }

  /** One stray round of an executor with few rows must not look like a slow executor. */
  @Test
  void summary_aPause_isOutvoted() {
    for (int round = 1; round <= 20; round++) {
      sums.round(1, List.of(share("a", 80, 0.8), share("b", 20, round == 10 ? 9 : 0.8)));
    }

    assertThat(sums.summary().evenSeconds()).isCloseTo(20 * 2.2, CLOSE);
  }

  @Test
  void summary_executorWithoutRows_keepsItsSpeed() {
    sums.round(1, List.of(share("a", 80, 0.8), share("b", 20, 0.8)));
    sums.round(1.2, List.of(share("a", 100, 1.0), share("b", 0, 0)));

    assertThat(sums.summary().evenSeconds()).isCloseTo(2.2 + (1.2 + 2 - 1.0), CLOSE);
  }

  @Test
  void summary_packing_isPaidBackInTheRoundThatReachesIt() {
    sums.packed(3);
    for (int round = 1; round <= 5; round++) { // 1.2 s saved in each
      sums.round(1, List.of(share("a", 80, 0.8), share("b", 20, 0.8)));
    }

    assertThat(sums.summary().paidBackAfter()).hasValue(3);
    assertThat(sums.summary().packSeconds()).isEqualTo(3);
  }

  @Test
  void summary_equalExecutors_payNothingBack() {
    sums.packed(0.1);
    sums.round(1, List.of(share("a", 50, 0.5), share("b", 50, 0.5)));

    assertThat(sums.summary().paidBackAfter()).isEmpty();
  }

  @Test
  void summary_noRows_savesNothing() {
    sums.round(0.1, List.of(share("a", 0, 0), share("b", 0, 0)));

    assertThat(sums.summary().evenSeconds()).isCloseTo(0.1, CLOSE);
    assertThat(sums.summary().slowest()).isEmpty();
  }

  @Test
  void summary_slowKernel_isTheCause() {
    sums.round(1, List.of(share("a", 80, 0.8), share("b", 20, 0.8), share("c", 80, 0.8)));
    SlowestExecutor slowest = sums.summary().slowest().orElseThrow();

    assertThat(slowest.even().executor()).isEqualTo("b");
    assertThat(slowest.even().host()).isEqualTo("host-b");
    assertThat(slowest.even().seconds()).isCloseTo(2.4, CLOSE);
    assertThat(slowest.medianSeconds()).isCloseTo(0.6, CLOSE);
    assertThat(slowest.cause()).isEqualTo(SlowestExecutor.Cause.KERNEL);
  }

  @Test
  void summary_slowTasksBesidesTheirKernels_areTheCause() {
    for (String executor : List.of("a", "b", "c")) {
      sums.overhead(executor, executor.equals("c") ? 0.4 : 0.1);
    }
    sums.round(1, List.of(share("a", 50, 0.5), share("b", 50, 0.5), share("c", 50, 0.6)));
    SlowestExecutor slowest = sums.summary().slowest().orElseThrow();

    assertThat(slowest.even().executor()).isEqualTo("c");
    assertThat(slowest.even().overhead()).isEqualTo(0.4);
    assertThat(slowest.cause()).isEqualTo(SlowestExecutor.Cause.OVERHEAD);
  }

  @Test
  void summary_slowFetching_isTheCause() {
    ExecutorShare fetching = new ExecutorShare("a", "host-a", 50, 0.5, 2, 2.5);
    sums.round(3, List.of(fetching, share("b", 50, 0.5)));
    SlowestExecutor slowest = sums.summary().slowest().orElseThrow();

    assertThat(slowest.even().fetching()).isEqualTo(2);
    assertThat(slowest.cause()).isEqualTo(SlowestExecutor.Cause.FETCHING);
  }

  private static ExecutorShare share(String executor, long rows, double seconds) {
    return new ExecutorShare(executor, "host-" + executor, rows, seconds, 0, seconds);
  }
}
