package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class TotalsTest {
  private final Totals totals = new Totals();

  /** Rounds of 3 s and 2 s that overlap by 1 s. */
  @Test
  void trained_trainingsAtOnce_countsEachMomentOnce() {
    totals.packed(0, 1.5);
    totals.round(10, 13);
    totals.round(12, 14);
    totals.add(20, Optional.of(new SavedSeconds(3, 2, 4)), /* isLeast= */ false);
    totals.add(21, Optional.of(new SavedSeconds(4, 4, 4)), /* isLeast= */ false);

    assertThat(totals.trained(0.5))
        .isEqualTo(
            "Spark ATA in all: 2 trainings, 41 rounds, 4.0 s in rounds, 1.5 s in packing; saved"
                + " over even shares: 7.0 s (6.0 to 8.0); 50 % of Spark's job time was Spark ATA's");
  }

  @Test
  void trained_notAllIsKnown_saysOfHowMany() {
    totals.add(20, Optional.of(new SavedSeconds(3, 2, 4)), /* isLeast= */ true);
    totals.add(5, Optional.empty(), /* isLeast= */ false);

    assertThat(totals.trained(1))
        .contains("even shares: 3.0 s (2.0 to 4.0), more or not known in 2 trainings; 100 %");
  }

  @Test
  void trained_someWereLeft_countsThemByReason() {
    totals.addLeft("SMALL_ROUND");
    totals.addLeft("NO_MEMORY");
    totals.addLeft("SMALL_ROUND");
    assertThat(totals.trained(0))
        .isEqualTo("Spark ATA in all: no training; left to Spark: NO_MEMORY 1, SMALL_ROUND 2");

    totals.add(20, Optional.empty(), /* isLeast= */ false);
    assertThat(totals.trained(1))
        .endsWith("Spark ATA's; left to Spark: NO_MEMORY 1, SMALL_ROUND 2");
  }

  @Test
  void observed_nothingCertain_claimsNothing() {
    totals.round(1, 5);
    totals.add(20, Optional.of(new SavedSeconds(1, -1, 3)), /* isLeast= */ false);

    assertThat(totals.observed())
        .isEqualTo(
            "Spark ATA observed in all: 1 training, 20 rounds, 4.0 s in rounds; allocation would"
                + " have saved nothing certain");
  }
}
