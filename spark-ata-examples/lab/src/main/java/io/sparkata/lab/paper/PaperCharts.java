package io.sparkata.lab.paper;

import io.sparkata.lab.Charts;
import io.sparkata.lab.paper.Curve.Point;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;

/** The paper's charts, whose axes are all logarithmic. */
final class PaperCharts {
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
    XYChart chart = Charts.chart(title, xTitle, yTitle, Charts.WIDTH, Charts.HEIGHT);
    for (Curve curve : experiment.curves()) {
      Charts.add(chart, curve.method().label(), curve.method().color(), curve.points(), x, y);
    }
    Charts.makeLogarithmic(chart);
    return chart;
  }
}
