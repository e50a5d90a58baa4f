package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GreedyRoundsTest {
  @Test
  void check_moreWeightsThanAMessageHolds_throwsWhatToSet() {
    GreedyRounds.check(2_097_152);

    assertThatThrownBy(() -> GreedyRounds.check(2_097_153))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use the policy 'greedy': 2097153 weights are too many for messages (at most"
                + " 2097152). Set spark.ata.policy=adaptive");
  }
}
