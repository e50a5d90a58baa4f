package io.sparkata.lab.bench;

import io.sparkata.lab.Charts;
import io.sparkata.lab.paper.Method;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws rows of results that have something to draw, made of the JSON alone. */
final class Chart {
  static final int WIDTH = 800;
  private static final int HEIGHT = 480;

  private Chart() {}

  /**
   * Writes {@code stem.png}: losses against time, or who got which rows in the last row's training.
   *
   * @return whether the rows have one of these
   */
  static boolean write(Path folder, String stem, List<Result.Row> rows) throws IOException {
    Path file = folder.resolve(stem + ".png");
    return losses(file, rows) || shares(file, rows.get(rows.size() - 1));
  }

  private static boolean losses(Path file, List<Result.Row> rows) throws IOException {
    XYChart bySeconds = losses("seconds");
    XYChart byWork = losses("worker seconds");
    Map<String, Color> legend = new LinkedHashMap<>();
    for (Result.Row row : rows) {
      Map<String, List<Double>> series = row.series();
      if (series.containsKey("pointLosses")) {
        Method method = Method.of(row.side());
        legend.put(method.label(), method.color());
        add(bySeconds, method, series.get("pointSeconds"), series.get("pointLosses"));
        add(byWork, method, series.get("pointKernelSeconds"), series.get("pointLosses"));
      }
    }
    if (!legend.isEmpty()) {
      Charts.write(file, /* columns= */ 2, legend, List.of(bySeconds, byWork));
    }
    return !legend.isEmpty();
  }

  private static XYChart losses(String xTitle) {
    XYChart chart =
        Charts.chart("CNN, on executors", xTitle, "training loss", Charts.WIDTH, Charts.HEIGHT);
    chart.getStyler().setXAxisMin(0.0);
    return chart;
  }

  private static void add(XYChart chart, Method method, List<Double> x, List<Double> y) {
    List<Integer> points = IntStream.range(0, y.size()).boxed().toList();
    Charts.add(chart, method.label(), method.color(), points, x::get, y::get);
  }

  /** Writes nothing if the side's rounds are not known. */
  static boolean shares(Path file, Result.Row row) throws IOException {
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
        Charts.chart(
            "Spark ATA from a cold start: who gets which rows",
            "iteration",
            "% of the rows",
            WIDTH,
            HEIGHT);
    chart.getStyler().setYAxisMin(0.0).setYAxisMax(100.0).setXAxisMin(0.0);
    chart.getStyler().setXAxisDecimalPattern("0").setYAxisDecimalPattern("0");
    chart.getStyler().setLegendVisible(true).setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
    List<Integer> iterations = IntStream.rangeClosed(1, rounds).boxed().toList();
    lines.forEach(
        (name, percents) -> {
          int i = chart.getSeriesMap().size() % Method.BUILT_IN.size();
          Color color = Method.BUILT_IN.get(i).color();
          Charts.add(chart, name, color, iterations, k -> k, k -> percents.get(k - 1));
        });
    Charts.write(file, /* columns= */ 1, Map.of(), List.of(chart));
    return true;
  }
}
