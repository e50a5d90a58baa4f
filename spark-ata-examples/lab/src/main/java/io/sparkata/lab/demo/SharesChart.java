package io.sparkata.lab.demo;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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

/** Each executor's part of the rows by round, with an even share. */
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

  private static final int ROUNDS_PER_LABEL = 5;

  private final XYChart chart;

  /**
   * @param names of the executors for the legend, by host, in their order
   * @param rounds samples by host of each round, at least one
   */
  SharesChart(String title, Map<String, String> names, List<Map<String, Long>> rounds) {
    System.setProperty("java.awt.headless", "true");
    chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("iteration")
            .yAxisTitle("% of the rows")
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
    chart.getStyler().setXAxisMin(0.0);
    chart.setCustomXAxisTickLabelsFormatter(
        round -> round % ROUNDS_PER_LABEL == 0 ? String.valueOf(round.intValue()) : " ");
    chart.getStyler().setYAxisMin(0.0).setYAxisMax(100.0).setYAxisDecimalPattern("0");
    chart.getStyler().setXAxisDecimalPattern("0");
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    double[] x = IntStream.rangeClosed(1, rounds.size()).asDoubleStream().toArray();
    names.forEach(
        (host, name) -> {
          double[] y = rounds.stream().mapToDouble(round -> percent(round, host)).toArray();
          line(name, x, y, COLORS.get(chart.getSeriesMap().size() % COLORS.size()))
              .setLineWidth(2.5f);
        });
    double[] even = new double[x.length];
    Arrays.fill(even, 100.0 / names.size());
    line("even share", x, even, Color.GRAY).setLineStyle(SeriesLines.DOT_DOT);
  }

  private static double percent(Map<String, Long> round, String host) {
    long all = round.values().stream().mapToLong(Long::longValue).sum();
    return all == 0 ? 0 : 100.0 * round.getOrDefault(host, 0L) / all;
  }

  private XYSeries line(String name, double[] x, double[] y, Color color) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE).setLineColor(color).setLineWidth(1.5f);
    return series;
  }

  /** Writes a PNG, and makes its folder. */
  void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG));
  }
}
