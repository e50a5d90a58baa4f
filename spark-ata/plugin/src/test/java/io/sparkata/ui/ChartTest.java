package io.sparkata.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.ui.Axis.Cut;
import io.sparkata.ui.Chart.Line;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ChartTest {
  /** 60 values of ten, with some others. */
  private static double[] tens(double... first) {
    double[] values = new double[60];
    Arrays.fill(values, 10);
    System.arraycopy(first, 0, values, 0, first.length);
    return values;
  }

  private static Chart chart(double[] values) {
    return new Chart(
        "Milliseconds",
        LongStream.rangeClosed(1, values.length).toArray(),
        values.length,
        round -> round + " <b>",
        List.of(new Line("kernel", values), new Line("waiting", new double[values.length])));
  }

  @Test
  void cutting_coldRounds_endsTheAxisBelowThem() {
    assertThat(Axis.cutting(tens(340, 310, 18)))
        .isEqualTo(new Axis(18, List.of(new Cut(0, 1, 340))));
    double[] apart = tens(340);
    apart[30] = 90;
    assertThat(Axis.cutting(apart))
        .isEqualTo(new Axis(10, List.of(new Cut(0, 0, 340), new Cut(30, 30, 90))));
  }

  @Test
  void cutting_highPointsThatAreNotFewOrNotFar_haveRoom() {
    assertThat(Axis.cutting(tens(340, 340, 340, 340, 340, 340, 340)))
        .isEqualTo(new Axis(340, List.of()));
    assertThat(Axis.cutting(tens(19, 18))).isEqualTo(new Axis(19, List.of()));
    assertThat(Axis.cutting(new double[] {340, 10, 10})).isEqualTo(new Axis(340, List.of()));
    double[] zeros = new double[60];
    zeros[3] = 7;
    assertThat(Axis.cutting(zeros)).isEqualTo(new Axis(7, List.of()));
  }

  /** The figures are in the caption, in the image's label, and above the chart. */
  @Test
  void stacked_coldRounds_tellsTheirFigures() {
    String html = chart(tens(340, 310)).stacked().toString();
    String text = "Milliseconds. Not to scale: rounds 1 &lt;b&gt; to 2 &lt;b&gt; with up to 340";
    assertThat(html)
        .contains("<figcaption>" + text + "</figcaption>", "aria-label=\"" + text + "\"")
        .contains("\u25b2 340<title>rounds 1 &lt;b&gt; to 2 &lt;b&gt; with up to 340</title>")
        .contains(">10</text>")
        .doesNotContain(">300</text>", "<b>");
    assertThat(heights(html)).allMatch(y -> y >= 0);
  }

  @Test
  void stacked_oneColdRound_tellsItsFigure() {
    assertThat(chart(tens(340)).stacked().toString())
        .contains(
            "<figcaption>Milliseconds. Not to scale: round 1 &lt;b&gt; with 340</figcaption>");
    double[] late = tens();
    late[59] = 340;
    assertThat(chart(late).stacked().toString()).contains("text-anchor=\"end\">340 \u25b2<title>");
    assertThat(chart(tens(19)).stacked().toString())
        .contains("<figcaption>Milliseconds</figcaption>")
        .doesNotContain("\u25b2");
  }

  @Test
  void stacked_manyApart_namesFive() {
    double[] values = new double[90];
    for (int p = 0; p < values.length; p++) {
      values[p] = p % 12 == 1 ? 340 : 10;
    }
    assertThat(chart(values).stacked().toString())
        .contains("round 50 &lt;b&gt; with 340; and 3 more</figcaption>")
        .contains("<title>round 74 &lt;b&gt; with 340</title>");
  }

  /** A line that is far above the others is whole. */
  @Test
  void plain_always_hasRoomForAll() {
    assertThat(chart(tens(340)).plain().toString())
        .contains("<figcaption>Milliseconds</figcaption>", ">300</text>");
  }

  private static List<Double> heights(String html) {
    String path = html.substring(html.indexOf("<path d=\"M") + 10).split("Z", 2)[0];
    return Arrays.stream(path.split("L", -1))
        .map(it -> Double.valueOf(it.split(",", -1)[1]))
        .toList();
  }
}
