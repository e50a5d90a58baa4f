package io.sparkata.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sparkata.tools.RunFailure;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShareBarsTest {
  private static final UnevenExecutors FOUR =
      UnevenExecutors.of(
          List.of(8.0, 4.0, 2.0, 1.5),
          Map.of("a", "127.0.0.5", "b", "127.0.0.2", "c", "127.0.0.4", "d", "127.0.0.3"));

  @Test
  void bars_evenShares_fillTwoFifths() {
    assertThat(ShareBars.bars(FOUR, Map.of("a", 5L, "b", 5L, "c", 5L, "d", 5L)))
        .isEqualTo("8x ###       25%  4x ###       25%  2x ###       25%  1.5x ###       25%");
  }

  @Test
  void bars_unevenShares_areInTheOrderOfTheCpuShares() {
    assertThat(ShareBars.bars(FOUR, Map.of("b", 80L, "d", 15L, "c", 5L)))
        .isEqualTo("8x ########  80%  4x ##        15%  2x #          5%  1.5x            0%");
  }

  @Test
  void bars_noSamplesYet_areEmpty() {
    assertThat(ShareBars.bars(FOUR, Map.of())).doesNotContain("#", "NaN").contains("8x", "0%");
  }

  @Test
  void percents_anyShares_areInTheSameOrder() {
    assertThat(ShareBars.percents(FOUR, Map.of("a", 1.4, "b", 8, "c", 2L, "d", 4L)))
        .isEqualTo("52:26:13:9");
  }

  @Test
  void proportional_total_goesByCpuShare() {
    assertThat(FOUR.proportional(31)).isEqualTo(Map.of("b", 16.0, "d", 8.0, "c", 4.0, "a", 3.0));
  }

  @Test
  void of_executorMissing_isRefused() {
    assertThatExceptionOfType(RunFailure.class)
        .isThrownBy(() -> UnevenExecutors.of(List.of(2.0, 1.0), Map.of("0", "127.0.0.2")))
        .withMessage("Invalid executors: on [127.0.0.2] (one on each of [127.0.0.2, 127.0.0.3])");
  }

  @Test
  void text_sidesBeforeAndAfterTheirFirstRound_saysWhatIsGoingOn() {
    assertThat(LiveLine.text(DemoSide.MLLIB, /* round= */ 0, /* seconds= */ 0, ""))
        .endsWith("first round");
    assertThat(LiveLine.text(DemoSide.ADAPTIVE, /* round= */ 0, /* seconds= */ 0, ""))
        .endsWith("packing, first round");
    assertThat(LiveLine.text(DemoSide.ADAPTIVE, /* round= */ 12, /* seconds= */ 0.412, "8x ##"))
        .isEqualTo("adaptive          round  12   0.41 s  8x ##");
  }

  @Test
  void text_fourExecutors_fitsALineOf120Characters() {
    Map<String, Long> samples =
        IntStream.range(0, 4)
            .boxed()
            .collect(Collectors.toMap(i -> "abcd".substring(i, i + 1), i -> 1L));
    String line =
        LiveLine.text(
            DemoSide.MLLIB_PARTITIONED,
            /* round= */ 999,
            /* seconds= */ 99.9,
            ShareBars.bars(FOUR, samples));

    assertThat("[ 123 s] " + line).hasSizeLessThan(120);
  }
}
