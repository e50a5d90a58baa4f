package io.sparkata.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HtmlTest {
  @Test
  void text_markup_isEscaped() {
    assertThat(new Html().element("a", "<b>\"&'", "href", "\"><script>"))
        .hasToString("<a href=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;&quot;&amp;&#39;</a>");
  }

  @Test
  void seconds_always_haveAFewDigits() {
    assertThat(Html.seconds(0.01234)).isEqualTo("0.012 s");
    assertThat(Html.seconds(12.34)).isEqualTo("12.3 s");
    assertThat(Html.seconds(12_345)).isEqualTo("12,345 s");
    assertThat(Html.seconds(Double.NaN)).isEmpty();
  }

  @Test
  void speed_ofAVerySlowExecutor_isNotZero() {
    assertThat(Html.speed(1.234)).isEqualTo("1.23");
    assertThat(Html.speed(0.0996)).isEqualTo("0.10");
    assertThat(Html.speed(0.0512)).isEqualTo("0.05");
    assertThat(Html.speed(0.00321)).isEqualTo("0.003");
    assertThat(Html.speed(Double.NaN)).isEqualTo("not known");
  }

  /** Points are steps as wide as their rounds. */
  @Test
  void stacked_twoLines_areBandsOverEachOther() {
    Chart chart =
        new Chart(
            "Rows <of> a round",
            new long[] {1, 11},
            20,
            round -> round + " <o'clock>",
            List.of(
                new Chart.Line("a", new double[] {1, 3}),
                new Chart.Line("b", new double[] {3, Double.NaN})));
    assertThat(chart.stacked().toString())
        .contains(
            "<figcaption>Rows &lt;of&gt; a round</figcaption>", "round 1 &lt;o&#39;clock&gt;<")
        .contains(">10 &lt;o", ">15 &lt;o", ">round 20 &lt;o")
        .doesNotContain(">20 &lt;o")
        .contains("M84.0,171.0L486.0,171.0L486.0,65.0L888.0,65.0") // 1 and 3 of 4
        .contains("M84.0,12.0L486.0,12.0L486.0,65.0L888.0,65.0") // 4, and 3 again
        .contains("<title>a</title>", "<title>b</title>");
    assertThat(chart.plain().toString()).contains("M84.0,12.0L486.0,12.0\"");
  }
}
