package io.sparkata.lab.bench;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Efficiency by round, a line for each side; the throttling and the release are marked. */
final class DriftChart {
  private static final int WIDTH = 1200;
  private static final int HEIGHT = 600;

  /** Of the rounds: half a name's width, and a little more. */
  private static final double NAME_SHIFT = 0.035;

  private DriftChart() {}

  /**
   * Writes a PNG; nothing where no side has efficiencies by round.
   *
   * @param measurements of as many iterations each; sides whose calibrations do not agree bear a
   *     question mark
   * @return whether there is a figure
   */
  static boolean write(Path file, String title, List<Measurement> measurements) throws IOException {
    List<Measurement> drawn =
        measurements.stream().filter(one -> !one.efficiencyByRound().isEmpty()).toList();
    if (drawn.isEmpty()) {
      return false;
    }
    System.setProperty("java.awt.headless", "true");
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("round")
            .yAxisTitle("efficiency, by the speeds that hold then")
            .build();
    chart
        .getStyler()
        .setLegendPosition(LegendPosition.OutsideE)
        .setChartBackgroundColor(Color.WHITE);
    double top = 1.1 * drawn.stream().mapToDouble(DriftChart::largest).max().orElse(1);
    chart.getStyler().setYAxisMin(0.0).setYAxisMax(top).setXAxisDecimalPattern("0");
    chart.getStyler().setAnnotationLineColor(Color.GRAY);
    chart.getStyler().setAnnotationTextFontColor(Color.DARK_GRAY);
    boolean isOneWorkload = drawn.stream().map(RatioChart::label).distinct().count() == 1;
    for (Measurement one : drawn) {
      String side = one.side() + (one.calibrationsAgree() ? "" : "?");
      String name = isOneWorkload ? side : side + ", " + RatioChart.label(one);
      double[] rounds =
          IntStream.rangeClosed(1, one.efficiencyByRound().size()).asDoubleStream().toArray();
      double[] efficiency =
          one.efficiencyByRound().stream().mapToDouble(Double::doubleValue).toArray();
      chart.addSeries(name, rounds, efficiency).setMarker(SeriesMarkers.NONE).setLineWidth(2);
    }
    int iterations = drawn.get(0).iterations();
    double beside = NAME_SHIFT * iterations;
    mark(chart, "throttled", DriftSchedule.throttleAt(iterations), beside, top);
    mark(chart, "released", DriftSchedule.releaseAt(iterations), beside, top);
    Files.write(file, BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG));
    return true;
  }

  private static double largest(Measurement one) {
    return one.efficiencyByRound().stream().mapToDouble(Double::doubleValue).reduce(1, Math::max);
  }

  /**
   * A vertical line after so many rounds.
   *
   * @param beside rounds from the line to the middle of its name
   * @param top where the name stands
   */
  private static void mark(XYChart chart, String name, int rounds, double beside, double top) {
    double x = rounds + 0.5;
    chart.addAnnotation(
        new AnnotationLine(x, /* isVertical= */ true, /* isValueInScreenSpace= */ false));
    chart.addAnnotation(
        new AnnotationText(name, x + beside, top, /* isValueInScreenSpace= */ false));
  }
}
