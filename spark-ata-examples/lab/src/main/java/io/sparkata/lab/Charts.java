package io.sparkata.lab;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts of lines as PNG files. */
public final class Charts {
  /** Of a chart among others. */
  public static final int WIDTH = 370;

  public static final int HEIGHT = 260;
  public static final int LEGEND_HEIGHT = 34;

  private Charts() {}

  /** An empty chart. */
  public static XYChart chart(String title, String xTitle, String yTitle, int width, int height) {
    System.setProperty("java.awt.headless", "true");
    XYChart chart =
        new XYChartBuilder()
            .width(width)
            .height(height)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
    chart.getStyler().setLegendVisible(false).setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setChartTitleFont(font.deriveFont(Font.BOLD, 12f));
    chart.getStyler().setAxisTitleFont(font).setAxisTickLabelsFont(font);
    chart.getStyler().setPlotGridLinesVisible(false);
    return chart;
  }

  /** Adds a line through the points whose values are positive; none without any. */
  public static <P> void add(
      XYChart chart,
      String name,
      Color color,
      List<P> points,
      ToDoubleFunction<P> x,
      ToDoubleFunction<P> y) {
    List<P> shown =
        points.stream().filter(p -> x.applyAsDouble(p) > 0 && y.applyAsDouble(p) > 0).toList();
    if (!shown.isEmpty()) {
      chart
          .addSeries(
              name,
              shown.stream().mapToDouble(x).toArray(),
              shown.stream().mapToDouble(y).toArray())
          .setMarker(SeriesMarkers.NONE)
          .setLineColor(color)
          .setLineWidth(1.8f);
    }
  }

  /**
   * Makes both axes logarithmic. Widens the y axis to whole powers of ten, since XChart labels only
   * these.
   */
  public static void makeLogarithmic(XYChart chart) {
    chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
    DoubleSummaryStatistics range =
        chart.getSeriesMap().values().stream()
            .flatMapToDouble(series -> DoubleStream.of(series.getYData()))
            .summaryStatistics();
    if (range.getCount() > 0) {
      chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(range.getMin()))));
      chart.getStyler().setYAxisMax(Math.pow(10, Math.ceil(Math.log10(range.getMax()))));
    }
  }

  /** Writes charts, row by row below one legend; without its height if it is empty. */
  public static void write(Path png, int columns, Map<String, Color> legend, List<XYChart> charts)
      throws IOException {
    int rows = (charts.size() + columns - 1) / columns;
    int width = charts.get(0).getWidth();
    int height = charts.get(0).getHeight();
    int top = legend.isEmpty() ? 0 : LEGEND_HEIGHT;
    BufferedImage image =
        new BufferedImage(columns * width, top + rows * height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, columns > 3 ? 14 : 10));
    graphics.setStroke(new BasicStroke(3));
    int x = 12;
    for (Map.Entry<String, Color> line : legend.entrySet()) {
      graphics.setColor(line.getValue());
      graphics.drawLine(x, LEGEND_HEIGHT / 2, x + 22, LEGEND_HEIGHT / 2);
      graphics.setColor(Color.BLACK);
      graphics.drawString(line.getKey(), x + 28, LEGEND_HEIGHT / 2 + 5);
      x += 44 + graphics.getFontMetrics().stringWidth(line.getKey());
    }
    for (int c = 0; c < charts.size(); c++) {
      Graphics2D panel = (Graphics2D) graphics.create();
      panel.translate(c % columns * width, top + c / columns * height);
      charts.get(c).paint(panel, width, height);
    }
    Files.createDirectories(png.toAbsolutePath().getParent());
    ImageIO.write(image, "png", png.toFile());
  }
}
