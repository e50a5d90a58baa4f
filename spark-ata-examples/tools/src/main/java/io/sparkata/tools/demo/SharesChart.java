package io.sparkata.tools.demo;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Samples per executor over the rounds of the policy adaptive, and an even share. */
final class SharesChart {
  static final int WIDTH = 800;
  static final int HEIGHT = 480;

  /** Okabe and Ito's colours, which colour-blind readers can distinguish. */
  private static final List<Color> COLORS =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9));

  private static final Font LEGEND_FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 11);

  private static final int ROUNDS_PER_LABEL = 5;

  private final XYChart chart;
  private final double[] x;
  private final Map<String, Color> colorById = new HashMap<>();

  /**
   * @param executors in the order of the legend
   * @param rounds samples by executor id of each round, at least one
   */
  SharesChart(String title, UnevenExecutors executors, List<Map<String, Long>> rounds) {
    System.setProperty("java.awt.headless", "true");
    chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("round")
            .yAxisTitle("samples")
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
    chart.getStyler().setLegendFont(LEGEND_FONT).setLegendSeriesLineLength(16);
    chart.getStyler().setXAxisMin(0.0);
    chart.setCustomXAxisTickLabelsFormatter(
        round -> round % ROUNDS_PER_LABEL == 0 ? String.valueOf(round.intValue()) : " ");
    chart.getStyler().setYAxisMin(0.0).setYAxisDecimalPattern("#,##0");
    chart.getStyler().setXAxisDecimalPattern("0");
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    x = IntStream.rangeClosed(1, rounds.size()).asDoubleStream().toArray();
    for (String id : executors.ids()) {
      Color color = COLORS.get(colorById.size() % COLORS.size());
      colorById.put(id, color);
      double[] y = rounds.stream().mapToDouble(round -> round.getOrDefault(id, 0L)).toArray();
      line("executor " + id + ", " + executors.name(id), y, color).setLineWidth(2.5f);
    }
    double even = rounds.get(0).values().stream().mapToLong(Long::longValue).sum();
    line("even share", level(even / executors.ids().size()), Color.GRAY)
        .setLineStyle(SeriesLines.DOT_DOT);
  }

  /**
   * Adds a dashed line for each executor.
   *
   * @param name what they mean, for the legend
   * @param samples by executor id
   */
  SharesChart levels(String name, Map<String, Double> samples) {
    samples.forEach(
        (id, count) ->
            line(name + ", " + id, level(count), colorById.get(id))
                .setLineStyle(SeriesLines.DASH_DASH)
                .setShowInLegend(false));
    line(name, level(Double.NaN), Color.BLACK)
        .setLineStyle(new BasicStroke(1.5f, 0, 0, 10, new float[] {3, 3}, 0));
    return this;
  }

  /** Writes a PNG, and makes its folder. */
  void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG));
  }

  /** Shares {@code total} out in proportion to the speeds. */
  static Map<String, Double> proportional(Map<String, Double> speeds, double total) {
    double sum = speeds.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<String, Double> shares = new TreeMap<>();
    speeds.forEach((id, speed) -> shares.put(id, total * speed / sum));
    return shares;
  }

  private XYSeries line(String name, double[] y, Color color) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE).setLineColor(color).setLineWidth(1.5f);
    return series;
  }

  private double[] level(double value) {
    double[] y = new double[x.length];
    Arrays.fill(y, value);
    return y;
  }
}
