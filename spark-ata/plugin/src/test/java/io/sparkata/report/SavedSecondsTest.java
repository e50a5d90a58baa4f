package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SavedSecondsTest {
  @Test
  void of_alike_isCertain() {
    double[] saved = new double[100];
    Arrays.fill(saved, 0.5);

    assertThat(SavedSeconds.of(saved)).contains(new SavedSeconds(50, 50, 50));
  }

  /** 95 % of the intervals should hold the true sum, here 0; a spread half as wide: 73 %. */
  @Test
  void of_noise_holdsTheTruthAsOftenAsItSays() {
    int held = 0;
    for (int seed = 0; seed < 1000; seed++) {
      Random random = new Random(seed);
      SavedSeconds sum = SavedSeconds.of(random.doubles(57, -1, 1).toArray()).orElseThrow();
      held += sum.isCertain() ? 0 : 1;
    }

    assertThat(held).isBetween(900, 990);
  }

  /** What grows from round to round is no noise: by the deviation of all rounds 100 +- 19. */
  @Test
  void of_trend_isNoSpread() {
    double[] saved = IntStream.range(0, 100).mapToDouble(round -> round / 49.5).toArray();

    SavedSeconds sum = SavedSeconds.of(saved).orElseThrow();
    assertThat(sum.seconds()).isEqualTo(100);
    assertThat(sum.high() - sum.low()).isLessThan(25);
  }

  @Test
  void plus_anotherSum_addsTheSpreads() {
    SavedSeconds one = new SavedSeconds(5, 2, 8);

    assertThat(one.plus(new SavedSeconds(5, 1, 9))).isEqualTo(new SavedSeconds(10, 3, 17));
    assertThat(one.upTo(4)).isEqualTo(new SavedSeconds(7, 2, 12));
    assertThat(one.times(2)).isEqualTo(new SavedSeconds(10, 4, 16));
  }
}
