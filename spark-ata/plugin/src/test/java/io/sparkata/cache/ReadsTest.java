package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cache.Reads.Measured;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadsTest {
  private final Reads reads = new Reads(new Reads.OfOldest());

  private void add(double... costs) {
    Arrays.stream(costs)
        .forEach(cost -> reads.add(new Measured(Map.of(), Map.of(), cost), /* isCold= */ false));
  }

  private List<Double> lately() {
    return reads.lately().stream().map(Measured::cost).toList();
  }

  @Test
  void lately_lightStages_areTheNewestOnly() {
    add(1, 2, 3, 4, 0.1, 0.2);
    assertThat(lately()).containsExactly(2.0, 3.0, 4.0, 0.2);

    add(5);
    assertThat(lately()).containsExactly(3.0, 4.0, 5.0);
  }

  /** What moves save is paid back by stages that are as long. */
  @Test
  void stages_lightOnes_doNotCount() {
    add(9, 1, 1, 0.01, 0.01, 1);

    assertThat(reads.stages()).isEqualTo(4);
    assertThat(reads.isRead(6)).isTrue();
  }

  /** It parses the rows. */
  @Test
  void add_longStageThatComputesTheRdd_makesNoOtherLight() {
    add(100, 100, 0.1, 0.1);

    assertThat(reads.stages()).isEqualTo(4);
    assertThat(lately()).containsExactly(100.0, 0.1, 0.1);
  }

  @Test
  void add_coldFirstStage_makesNoOtherLight() {
    reads.add(new Measured(Map.of(), Map.of(), 100), /* isCold= */ true);
    assertThat(reads.canBePlanned()).isFalse();
    add(1, 1);

    assertThat(lately()).containsExactly(1.0, 1.0);
    assertThat(reads.stages()).isEqualTo(3);
  }
}
