package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkSumsTest {

  private final WorkSums sums = new WorkSums();

  @Test
  void units_priorAndRounds_countBoth() {
    sums.add(new Prior(5, 10));
    sums.add(2, 4);
    sums.add(0.5, 1);

    assertThat(sums.units()).isEqualTo(12.5);
    assertThat(sums.meanTime()).isEqualTo(55 / 12.5);
    assertThat(sums.ownUnits()).isEqualTo(2.5);
    assertThat(sums.ownMeanTime()).isEqualTo(2);
    assertThat(sums.meanUnits()).isEqualTo(1.25);
  }

  @Test
  void removePriors_besideRounds_leavesTheRounds() {
    sums.add(new Prior(5, 10));
    sums.add(2, 4);

    sums.removePriors();

    assertThat(sums.units()).isEqualTo(2);
    assertThat(sums.meanTime()).isEqualTo(2);
  }

  @Test
  void clear_anything_isAsNew() {
    sums.add(new Prior(5, 10));
    sums.add(2, 4);

    sums.clear();

    assertThat(sums).usingRecursiveComparison().isEqualTo(new WorkSums());
    assertThat(sums.meanTime()).isNaN();
    assertThat(sums.units()).isZero();
  }
}
