package io.sparkata.lab.paper;

import java.awt.Color;
import java.awt.Font;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the figures. All axes are logarithmic here, except those of measured times. */
final class PaperCharts {
  private PaperCharts() {}

  /** A value at a recorded round, given by its index. */
  @FunctionalInterface
  interface Value {
    double at(Curve.Point point, int index);
  }

  /**
   * A row of Figure 1.
   *
   * @param suboptimality after each recorded round
   */
  static List<XYChart> row(Experiment experiment, double[] suboptimality) {
    String title = experiment.law() + ", n = " + experiment.workers();
    Value subopt = (point, index) -> suboptimality[index];
    return List.of(
        chart(title, "runtime", "f(x) - f*", experiment, by(Curve.Point::runtime), subopt),
        chart(title, "worker time", "f(x) - f*", experiment, by(Curve.Point::workerTime), subopt),
        chart(
            title,
            "iteration k",
            "C_k / k",
            experiment,
            by(Curve.Point::round),
            by(Curve.Point::meanRoundTime)),
        chart(
            title,
            "iteration k",
            "regret / k",
            experiment,
            by(Curve.Point::round),
            by(Curve.Point::meanRegret)));
  }

  /** Runtime and worker time against a loss that depends only on the round. */
  static List<XYChart> losses(CnnReplay replay) {
    Experiment experiment = replay.clocks();
    Value loss = (point, index) -> replay.losses().lossAt(point.round());
    String title = "CNN, " + experiment.law() + ", n = " + experiment.workers();
    return List.of(
        chart(title, "runtime", "training loss", experiment, by(Curve.Point::runtime), loss),
        chart(
            title, "worker time", "training loss", experiment, by(Curve.Point::workerTime), loss));
  }

  /** Seconds and worker seconds against the loss. */
  static List<XYChart> measured(List<MeasuredCurve> curves) {
    return List.of(
        measured("seconds", curves, MeasuredCurve.Point::seconds),
        measured("worker seconds", curves, MeasuredCurve.Point::workerSeconds));
  }

  private static XYChart measured(
      String xTitle, List<MeasuredCurve> curves, ToDoubleFunction<MeasuredCurve.Point> x) {
    XYChart chart = chart("CNN, on executors", xTitle, "training loss");
    chart.getStyler().setXAxisLogarithmic(false).setYAxisLogarithmic(false);
    chart.getStyler().setXAxisMin(0.0);
    for (MeasuredCurve curve : curves) {
      addSeries(
          chart,
          curve.method(),
          curve.points().stream().mapToDouble(x).toArray(),
          curve.points().stream().mapToDouble(MeasuredCurve.Point::loss).toArray());
    }
    return chart;
  }

  private static Value by(ToDoubleFunction<Curve.Point> value) {
    return (point, index) -> value.applyAsDouble(point);
  }

  private static XYChart chart(
      String title, String xTitle, String yTitle, Experiment experiment, Value x, Value y) {
    XYChart chart = chart(title, xTitle, yTitle);
    for (Curve curve : experiment.curves().values()) {
      List<Curve.Point> points = curve.points();
      addSeries(
          chart,
          curve.method(),
          IntStream.range(0, points.size()).mapToDouble(p -> x.at(points.get(p), p)).toArray(),
          IntStream.range(0, points.size()).mapToDouble(p -> y.at(points.get(p), p)).toArray());
    }
    labelYAxis(chart);
    return chart;
  }

  private static XYChart chart(String title, String xTitle, String yTitle) {
    XYChart chart =
        new XYChartBuilder()
            .width(Panels.PANEL_WIDTH)
            .height(Panels.PANEL_HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
    chart.getStyler().setLegendVisible(false).setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setChartTitleFont(font.deriveFont(Font.BOLD, 12f));
    chart.getStyler().setAxisTitleFont(font).setAxisTickLabelsFont(font);
    chart.getStyler().setPlotGridLinesVisible(false);
    chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
    return chart;
  }

  /** Widens the axis until it holds two powers of ten, since XChart labels only these. */
  private static void labelYAxis(XYChart chart) {
    DoubleSummaryStatistics range =
        chart.getSeriesMap().values().stream()
            .flatMapToDouble(series -> Arrays.stream(series.getYData()))
            .summaryStatistics();
    if (range.getCount() > 0) {
      double least = Math.log10(range.getMin());
      double most = Math.log10(range.getMax());
      while (Math.floor(most) - Math.ceil(least) < 1) {
        double below = Math.ceil(least) - 1;
        double above = Math.floor(most) + 1;
        if (least - below < above - most) {
          least = below;
        } else {
          most = above;
        }
      }
      chart.getStyler().setYAxisMin(Math.pow(10, least)).setYAxisMax(Math.pow(10, most));
    }
  }

  /** Leaves out values that a logarithmic axis cannot show, and methods without any other. */
  private static void addSeries(XYChart chart, Method method, double[] x, double[] y) {
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    for (int p = 0; p < x.length; p++) {
      if (x[p] > 0 && y[p] > 0) {
        xs.add(x[p]);
        ys.add(y[p]);
      }
    }
    if (!xs.isEmpty()) {
      XYSeries series = chart.addSeries(method.label(), xs, ys);
      series.setMarker(SeriesMarkers.NONE).setLineColor(method.color());
      series.setLineWidth(1.8f);
    }
  }
}
