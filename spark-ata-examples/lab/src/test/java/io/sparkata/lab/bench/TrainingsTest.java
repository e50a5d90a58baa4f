package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingsTest {
  @ParameterizedTest
  @CsvSource({
    "dense-large, large, 1, 30000",
    "dense-large-mllib, large-mllib, 1, 30000",
    "dense-large-mllib-0.1, large-mllib, 0.1, 300000",
    "sparse-small-0.01, small, 0.01, 200000",
    "dense-medium, medium, 1, 2000000"
  })
  void made_aName_hasItsSizeAndFraction(String work, String size, double fraction, long rows) {
    MadeRows made = Trainings.made(work, /* seed= */ 1);

    assertThat(Experiment.isWork(work)).isTrue();
    assertThat(made.size()).isEqualTo(size);
    assertThat(made.fraction()).isEqualTo(fraction);
    assertThat(made.rows()).isEqualTo(rows);
  }

  @Test
  void defaults_ofAnyExperiment_canBeRun() {
    for (Experiment one : Experiments.ALL) {
      for (boolean isQuick : List.of(false, true)) {
        Options options = new Options();
        one.complete(options, isQuick);
        assertThat(options.iterations).isGreaterThan(3);
      }
      Options recorded = Options.parse("--iterations=1500 --repetitions=3");
      one.complete(recorded, /* isQuick= */ true);
      assertThat(recorded.iterations).isBetween(4, 100);
      assertThat(recorded.repetitions).isOne();
    }
  }
}
