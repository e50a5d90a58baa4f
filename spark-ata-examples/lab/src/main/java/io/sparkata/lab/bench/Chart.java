package io.sparkata.lab.bench;

import io.sparkata.lab.paper.MeasuredCurve;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws rows of results that have something to draw, made of the JSON alone. */
final class Chart {
  static final int WIDTH = 800;
  static final int HEIGHT = 480;

  /** Okabe and Ito's colours, which colour-blind readers can distinguish. */
  private static final Color[] COLORS = {
    new Color(0x0072B2),
    new Color(0xD55E00),
    new Color(0x009E73),
    new Color(0xCC79A7),
    new Color(0xE69F00),
    new Color(0x56B4E9)
  };

  private Chart() {}

  /**
   * Writes {@code stem.png}: losses against time, or who got which rows in the last row's training.
   *
   * @return whether the rows have one of these
   */
  static boolean write(Path folder, String stem, List<Result.Row> rows) throws IOException {
    return losses(folder, stem, rows)
        || shares(folder.resolve(stem + ".png"), rows.get(rows.size() - 1));
  }

  private static boolean losses(Path folder, String stem, List<Result.Row> rows)
      throws IOException {
    List<MeasuredCurve> curves = new ArrayList<>();
    for (Result.Row row : rows) {
      Map<String, List<Double>> series = row.series();
      if (series.containsKey("pointLosses")) {
        List<MeasuredCurve.Point> points =
            IntStream.range(0, series.get("pointLosses").size())
                .mapToObj(
                    i ->
                        new MeasuredCurve.Point(
                            series.get("pointSeconds").get(i),
                            series.get("pointKernelSeconds").get(i),
                            series.get("pointLosses").get(i)))
                .toList();
        curves.add(new MeasuredCurve(row.side(), points));
      }
    }
    if (!curves.isEmpty()) {
      MeasuredCurve.draw(folder, stem, curves);
    }
    return !curves.isEmpty();
  }

  /** Writes nothing if the side's rounds are not known. */
  static boolean shares(Path file, Result.Row row) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Map<String, List<Double>> lines = new LinkedHashMap<>();
    String[] speeds = row.speeds().split(",", -1);
    for (int i = 0; i < speeds.length; i++) {
      List<Double> percents = row.series().get("percentOfExecutor" + (i + 1));
      if (percents != null) {
        lines.put("executor %d, speed %s".formatted(i + 1, speeds[i]), percents);
      }
    }
    if (lines.isEmpty()) {
      return false;
    }
    int rounds = lines.values().iterator().next().size();
    lines.put("even share", Collections.nCopies(rounds, 100.0 / speeds.length));
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Spark ATA from a cold start: who gets which rows")
            .xAxisTitle("iteration")
            .yAxisTitle("% of the rows")
            .build();
    chart.getStyler().setYAxisMin(0.0).setYAxisMax(100.0).setXAxisMin(0.0);
    chart.getStyler().setXAxisDecimalPattern("0").setYAxisDecimalPattern("0");
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setSeriesColors(COLORS);
    lines.forEach(
        (name, percents) ->
            chart
                .addSeries(name, IntStream.rangeClosed(1, rounds).boxed().toList(), percents)
                .setMarker(SeriesMarkers.NONE)
                .setLineWidth(2));
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG));
    return true;
  }
}
