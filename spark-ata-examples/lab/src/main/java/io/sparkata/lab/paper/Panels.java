package io.sparkata.lab.paper;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.knowm.xchart.XYChart;
import org.w3c.dom.Document;

/**
 * Charts in rows and columns below one legend, as PNG and as SVG.
 *
 * @param columns charts to a row
 * @param methods in the legend
 * @param charts row by row
 */
record Panels(int columns, List<Method> methods, List<XYChart> charts) {
  static final int PANEL_WIDTH = 370;
  static final int PANEL_HEIGHT = 260;
  static final int LEGEND_HEIGHT = 34;

  private static final int SVG_DIGITS = 1;

  Dimension size() {
    int rows = (charts.size() + columns - 1) / columns;
    return new Dimension(columns * PANEL_WIDTH, LEGEND_HEIGHT + rows * PANEL_HEIGHT);
  }

  /** Writes stem.png and stem.svg. */
  void write(Path folder, String stem) throws IOException {
    Dimension size = size();
    BufferedImage image = new BufferedImage(size.width, size.height, BufferedImage.TYPE_INT_RGB);
    Graphics2D bitmap = image.createGraphics();
    paint(bitmap);
    bitmap.dispose();
    ImageIO.write(image, "png", folder.resolve(stem + ".png").toFile());

    SVGGeneratorContext context = SVGGeneratorContext.createDefault(newDocument());
    context.setComment(null);
    context.setPrecision(SVG_DIGITS);
    SVGGraphics2D vector = new SVGGraphics2D(context, /* textAsShapes= */ false);
    vector.setSVGCanvasSize(size);
    paint(vector);
    StringWriter text = new StringWriter();
    vector.stream(text, /* useCss= */ true);
    Files.writeString(folder.resolve(stem + ".svg"), SvgLines.join(text.toString()));
  }

  private void paint(Graphics2D graphics) {
    Dimension size = size();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, size.width, size.height);
    paintLegend(graphics, size.width);
    for (int c = 0; c < charts.size(); c++) {
      Graphics2D panel = (Graphics2D) graphics.create();
      panel.translate(c % columns * PANEL_WIDTH, LEGEND_HEIGHT + c / columns * PANEL_HEIGHT);
      charts.get(c).paint(panel, PANEL_WIDTH, PANEL_HEIGHT);
      panel.dispose();
    }
  }

  private void paintLegend(Graphics2D graphics, int width) {
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, width > 3 * PANEL_WIDTH ? 14 : 10));
    FontMetrics metrics = graphics.getFontMetrics();
    int x = 12;
    for (Method method : methods) {
      graphics.setColor(method.color());
      graphics.setStroke(new BasicStroke(3));
      graphics.drawLine(x, LEGEND_HEIGHT / 2, x + 22, LEGEND_HEIGHT / 2);
      graphics.setColor(Color.BLACK);
      graphics.drawString(method.label(), x + 28, LEGEND_HEIGHT / 2 + 5);
      x += 44 + metrics.stringWidth(method.label());
    }
  }

  private static Document newDocument() {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument("http://www.w3.org/2000/svg", "svg", null);
    } catch (ParserConfigurationException e) {
      throw new AssertionError(e); // the JDK's own parser, as it comes
    }
  }
}
