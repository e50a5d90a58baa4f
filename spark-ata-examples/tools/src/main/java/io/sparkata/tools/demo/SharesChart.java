package io.sparkata.tools.demo;

import java.awt.BasicStroke;
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
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Samples per executor over the rounds, and the shares that the calibrated speeds call for. */
final class SharesChart {
  static final int WIDTH = 1000;
  static final int HEIGHT = 600;

  /** Okabe and Ito's colours, which the colour-blind can tell apart. */
  private static final List<Color> COLORS =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9));

  private SharesChart() {}

  /**
   * Writes a PNG.
   *
   * @param labels of the executors, by id
   * @param rounds samples by executor id of each round
   * @param ideal samples by executor id in proportion to the calibrated speeds
   * @param even samples of each executor were they shared out evenly
   */
  static void write(
      Path file,
      Map<String, String> labels,
      List<Map<String, Long>> rounds,
      Map<String, Double> ideal,
      double even)
      throws IOException {
    System.setProperty("java.awt.headless", "true");
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Samples per executor and round, policy adaptive")
            .xAxisTitle("round")
            .yAxisTitle("samples")
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setYAxisMin(0.0).setYAxisDecimalPattern("#,##0");
    chart.getStyler().setXAxisDecimalPattern("0").setChartBackgroundColor(Color.WHITE);
    double[] x = IntStream.rangeClosed(1, rounds.size()).asDoubleStream().toArray();
    int color = 0;
    for (String id : labels.keySet()) {
      double[] y = rounds.stream().mapToDouble(round -> round.getOrDefault(id, 0L)).toArray();
      Color own = COLORS.get(color++ % COLORS.size());
      line(chart, labels.get(id), x, y, own).setLineWidth(2.5f);
      line(chart, labels.get(id) + ", by its speed", x, level(x, ideal.get(id)), own)
          .setLineStyle(SeriesLines.DASH_DASH)
          .setShowInLegend(false);
    }
    line(chart, "uniform", x, level(x, even), Color.GRAY).setLineStyle(SeriesLines.DOT_DOT);
    XYSeries note = line(chart, "by calibrated speed", x, level(x, Double.NaN), Color.BLACK);
    note.setLineStyle(new BasicStroke(1.5f, 0, 0, 10, new float[] {3, 3}, 0));
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG));
  }

  private static XYSeries line(XYChart chart, String name, double[] x, double[] y, Color color) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE).setLineColor(color).setLineWidth(1.5f);
    return series;
  }

  private static double[] level(double[] x, double value) {
    double[] y = new double[x.length];
    Arrays.fill(y, value);
    return y;
  }
}
