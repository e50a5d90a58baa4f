package io.sparkata.lab.paper;

import io.sparkata.lab.paper.Curve.Point;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the figures. All axes are logarithmic, except those of measured times. */
final class PaperCharts {
  static final int PANEL_WIDTH = 370;
  static final int PANEL_HEIGHT = 260;
  static final int LEGEND_HEIGHT = 34;

  private PaperCharts() {}

  /** Runtime and worker time against a loss that depends only on the round. */
  static List<XYChart> losses(
      String title, String lossTitle, Experiment experiment, LongToDoubleFunction loss) {
    ToDoubleFunction<Point> y = point -> loss.applyAsDouble(point.round());
    return List.of(
        replayed(title, "runtime", lossTitle, experiment, Point::runtime, y),
        replayed(title, "worker time", lossTitle, experiment, Point::workerTime, y));
  }

  /** The average iteration time and the average regret by round. */
  static List<XYChart> means(String title, Experiment experiment) {
    String x = "iteration k";
    ToDoubleFunction<Point> time = point -> point.runtime() / point.round();
    ToDoubleFunction<Point> regret = point -> point.regret() / point.round();
    return List.of(
        replayed(title, x, "C_k / k", experiment, Point::round, time),
        replayed(title, x, "regret / k", experiment, Point::round, regret));
  }

  private static XYChart replayed(
      String title,
      String xTitle,
      String yTitle,
      Experiment experiment,
      ToDoubleFunction<Point> x,
      ToDoubleFunction<Point> y) {
    XYChart chart = chart(title, xTitle, yTitle, /* isLogarithmic= */ true);
    for (Curve curve : experiment.curves()) {
      addSeries(chart, curve.method(), curve.points(), x, y);
    }
    labelYAxis(chart);
    return chart;
  }

  /** Seconds and worker seconds against the loss. */
  static List<XYChart> measured(List<MeasuredCurve> curves) {
    return List.of(
        measured("seconds", curves, MeasuredCurve.Point::seconds),
        measured("worker seconds", curves, MeasuredCurve.Point::workerSeconds));
  }

  private static XYChart measured(
      String xTitle, List<MeasuredCurve> curves, ToDoubleFunction<MeasuredCurve.Point> x) {
    XYChart chart = chart("CNN, on executors", xTitle, "training loss", /* isLogarithmic= */ false);
    chart.getStyler().setXAxisMin(0.0);
    for (MeasuredCurve curve : curves) {
      addSeries(chart, curve.method(), curve.points(), x, MeasuredCurve.Point::loss);
    }
    return chart;
  }

  private static XYChart chart(String title, String xTitle, String yTitle, boolean isLogarithmic) {
    XYChart chart =
        new XYChartBuilder()
            .width(PANEL_WIDTH)
            .height(PANEL_HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
    chart.getStyler().setLegendVisible(false).setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setChartTitleFont(font.deriveFont(Font.BOLD, 12f));
    chart.getStyler().setAxisTitleFont(font).setAxisTickLabelsFont(font);
    chart.getStyler().setPlotGridLinesVisible(false);
    chart.getStyler().setXAxisLogarithmic(isLogarithmic).setYAxisLogarithmic(isLogarithmic);
    return chart;
  }

  /** Widens the axis to whole powers of ten, since XChart labels only these. */
  private static void labelYAxis(XYChart chart) {
    DoubleSummaryStatistics range =
        chart.getSeriesMap().values().stream()
            .flatMapToDouble(series -> DoubleStream.of(series.getYData()))
            .summaryStatistics();
    if (range.getCount() > 0) {
      chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(range.getMin()))));
      chart.getStyler().setYAxisMax(Math.pow(10, Math.ceil(Math.log10(range.getMax()))));
    }
  }

  /** Leaves out values that a logarithmic axis cannot show, and methods without any other. */
  private static <P> void addSeries(
      XYChart chart, Method method, List<P> points, ToDoubleFunction<P> x, ToDoubleFunction<P> y) {
    List<P> shown =
        points.stream().filter(p -> x.applyAsDouble(p) > 0 && y.applyAsDouble(p) > 0).toList();
    if (!shown.isEmpty()) {
      chart
          .addSeries(
              method.label(),
              shown.stream().mapToDouble(x).toArray(),
              shown.stream().mapToDouble(y).toArray())
          .setMarker(SeriesMarkers.NONE)
          .setLineColor(method.color())
          .setLineWidth(1.8f);
    }
  }

  /** Writes charts, row by row below one legend, as PNG. */
  static void write(Path png, int columns, List<Method> legend, List<XYChart> charts)
      throws IOException {
    int rows = (charts.size() + columns - 1) / columns;
    BufferedImage image =
        new BufferedImage(
            columns * PANEL_WIDTH, LEGEND_HEIGHT + rows * PANEL_HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, columns > 3 ? 14 : 10));
    graphics.setStroke(new BasicStroke(3));
    int x = 12;
    for (Method method : legend) {
      graphics.setColor(method.color());
      graphics.drawLine(x, LEGEND_HEIGHT / 2, x + 22, LEGEND_HEIGHT / 2);
      graphics.setColor(Color.BLACK);
      graphics.drawString(method.label(), x + 28, LEGEND_HEIGHT / 2 + 5);
      x += 44 + graphics.getFontMetrics().stringWidth(method.label());
    }
    for (int c = 0; c < charts.size(); c++) {
      Graphics2D panel = (Graphics2D) graphics.create();
      panel.translate(c % columns * PANEL_WIDTH, LEGEND_HEIGHT + c / columns * PANEL_HEIGHT);
      charts.get(c).paint(panel, PANEL_WIDTH, PANEL_HEIGHT);
    }
    ImageIO.write(image, "png", png.toFile());
  }
}
