package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkloadTest {
  @Test
  void describe_oneExecutorOrMore_isCounted() {
    Workload descent = new Workload("kernel", /* fraction= */ 0.5, /* rounds= */ 10);
    assertThat(descent.describe(7, 3000, 1)).isEqualTo(", round 7 of 10: 1,500 rows on 1 executor");
    assertThat(descent.describe(7, 3000, 2))
        .isEqualTo(", round 7 of 10: 1,500 rows on 2 executors");
    Workload evaluations = new Workload("kernel", /* fraction= */ 1, Workload.UNKNOWN);
    assertThat(evaluations.describe(7, 3000, 1)).isEqualTo(", round 7: on 1 executor");
    assertThat(evaluations.describe(7, 3000, 2)).isEqualTo(", round 7: on 2 executors");
  }

  /** With 0, a reader whose copy is missing after all would find the other one dropped, too. */
  @Test
  void patience_unknownNumberOfRounds_isOneRound() {
    assertThat(new Workload("kernel", /* fraction= */ 1, Workload.UNKNOWN).patience()).isOne();
  }
}
