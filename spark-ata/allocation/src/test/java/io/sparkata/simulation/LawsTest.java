package io.sparkata.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LawsTest {

  /** mu_7 = 2 c_7. The shifted laws have c_7 as their least time. */
  @ParameterizedTest
  @CsvSource({
    "sqrt, 153.4536, 0.5",
    "linear, 406, 0.5",
    "log, 120.6076, 0.5",
    "quadratic, 2842, 0.5",
    "exp-sqrt, 153.4536, 0",
    "exp-linear, 406, 0",
    "exp-log, 120.6076, 0",
    "exp-quadratic, 2842, 0",
    "pareto-1.5, 406, 0.33333",
    "pareto-2, 406, 0.5",
    "lognormal-2, 406, 0"
  })
  void of_namedLaw_hasTheMeanOfItsSeventhWorker(String name, double mean, double least) {
    TimeLaw law = Laws.of(name, 7);

    assertThat(law.name()).isEqualTo(name);
    assertThat(law.workers()).isEqualTo(7);
    assertThat(law.worker(6)).isEqualTo("w7");
    assertThat(law.of(6, 1).mean()).isCloseTo(mean, within(1e-3));
    assertThat(law.baseMean(6)).isEqualTo(law.of(6, 99).mean());
    assertThat(law.of(6, 1).minimum() / mean).isCloseTo(least, within(1e-4));
  }

  @Test
  void of_mixed_cyclesThroughFiveShapesPerGroup() {
    TimeLaw law = Laws.of("mixed", 15);

    assertThat(law.of(4, 1).mean()).isEqualTo(29);
    assertThat(law.of(5, 1).mean()).isEqualTo(29 * 6);
    assertThat(law.of(14, 1).mean()).isEqualTo(29 * 11);
    double square = law.of(5, 1).mean() * law.of(5, 1).mean();
    assertThat(law.of(5, 1).variance()).isCloseTo(square, within(1e-6));
    assertThat(law.of(6, 1).variance()).isCloseTo(square / 3, within(1e-6));
    assertThat(law.of(7, 1).variance()).isCloseTo(square * 0.570796, within(1.0));
    assertThat(law.of(8, 1).variance()).isCloseTo(square * 0.284025, within(1.0));
    assertThat(law.of(9, 1).variance()).isCloseTo(square / 2, within(1e-6));
  }

  @Test
  void names_all_makeLaws() {
    assertThat(Laws.names())
        .allSatisfy(name -> assertThat(Laws.of(name, 5).workers()).isEqualTo(5));
  }

  @Test
  void cluster_speeds_giveMeansAndVariation() {
    TimeLaw law = Laws.cluster(List.of(8.0, 1.0), 0.1);

    assertThat(law.of(0, 1).mean()).isEqualTo(0.125);
    assertThat(law.of(1, 1).variance()).isCloseTo(0.01, within(1e-12));
    assertThat(Laws.cluster(List.of(2.0), 0).of(0, 1).variance()).isZero();
  }

  @Test
  void of_badArguments_sayWhatToType() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Laws.of("cubic", 5))
        .withMessageStartingWith("Invalid law: 'cubic' (one of sqrt, linear, log, quadratic, exp-");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Laws.of("linear", -1))
        .withMessage("Invalid workers: -1 (at least 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Laws.of("mine", List.of()))
        .withMessage("Invalid workers: 0 (at least 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Laws.cluster(List.of(1.0, 0.0), 0.1))
        .withMessage("Invalid speed: 0.0 (greater than 0 and finite)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Laws.cluster(List.of(1.0), -0.1))
        .withMessage("Invalid variation: -0.1 (at least 0 and finite)");
  }
}
