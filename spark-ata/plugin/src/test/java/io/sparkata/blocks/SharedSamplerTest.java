package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharedSamplerTest {

  @Test
  void of_tasksOfOneRound_shareItUntilTheLastIsDone() {
    int openBefore = SharedSampler.openRounds();
    SharedSampler first = SharedSampler.of(1, new RowSelection(0.5, 43));
    SharedSampler second = SharedSampler.of(1, new RowSelection(0.5, 43));
    assertThat(second.sampler()).isSameAs(first.sampler());

    first.close();
    try (SharedSampler third = SharedSampler.of(1, new RowSelection(0.5, 43))) {
      assertThat(third.sampler()).isSameAs(second.sampler());
    }
    second.close();

    assertThat(SharedSampler.openRounds()).isEqualTo(openBefore);
    try (SharedSampler later = SharedSampler.of(1, new RowSelection(0.5, 43))) {
      assertThat(later.sampler()).isNotSameAs(first.sampler());
    }
  }

  @Test
  void of_otherRoundFractionOrSeed_isAnother() {
    try (SharedSampler one = SharedSampler.of(1, new RowSelection(0.5, 43));
        SharedSampler otherRound = SharedSampler.of(2, new RowSelection(0.5, 43));
        SharedSampler otherFraction = SharedSampler.of(1, new RowSelection(0.4, 43));
        SharedSampler otherSeed = SharedSampler.of(1, new RowSelection(0.5, 44))) {
      assertThat(otherRound.sampler()).isNotSameAs(one.sampler());
      assertThat(otherFraction.sampler()).isNotSameAs(one.sampler());
      assertThat(otherSeed.sampler()).isNotSameAs(one.sampler());
    }
  }
}
