package io.sparkata.lab.bench;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/** A bar chart: how many times as fast as stock MLlib each side is, grouped by workload. */
final class RatioChart {
  private static final int WIDTH = 1200;
  private static final int HEIGHT = 600;

  private RatioChart() {}

  /**
   * Writes a PNG, or nothing if no side has a ratio.
   *
   * @return whether there is a figure
   */
  static boolean write(Path file, String title, List<Measurement> measurements) throws IOException {
    Map<String, Map<String, Double>> bySide = new LinkedHashMap<>();
    Set<String> workloads = new LinkedHashSet<>();
    for (Measurement one : measurements) {
      if (!Double.isNaN(one.ratioToStock())) {
        String workload = label(one);
        workloads.add(workload);
        bySide
            .computeIfAbsent(one.side(), unused -> new LinkedHashMap<>())
            .put(workload, one.ratioToStock());
      }
    }
    if (workloads.isEmpty()) {
      return false;
    }
    System.setProperty("java.awt.headless", "true");
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle("times as fast as MLlib, per iteration")
            .build();
    chart
        .getStyler()
        .setLegendPosition(LegendPosition.OutsideE)
        .setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0).setXAxisLabelRotation(workloads.size() > 3 ? 20 : 0);
    List<String> groups = new ArrayList<>(workloads);
    bySide.forEach(
        (side, ratios) -> chart.addSeries(side, groups, groups.stream().map(ratios::get).toList()));
    Files.write(file, BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG));
    return true;
  }

  /** The workload and its cluster, in short. */
  static String label(Measurement one) {
    return one.speeds().replace(',', ':')
        + " "
        + one.dataset().replace("made ", "")
        + ", fraction "
        + one.fraction();
  }
}
