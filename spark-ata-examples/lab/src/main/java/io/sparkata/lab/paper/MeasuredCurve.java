package io.sparkata.lab.paper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A measured training: loss against time and against worker time.
 *
 * @param policy its id, or a class name
 */
public record MeasuredCurve(String policy, List<Point> points) {
  /**
   * Where the training was, in seconds since its start.
   *
   * @param workerSeconds of all kernels
   */
  public record Point(double seconds, double workerSeconds, double loss) {}

  /** Draws stem.png in the colours of the replayed figure. Points at second 0 are left out. */
  public static void draw(Path folder, String stem, List<MeasuredCurve> curves) throws IOException {
    List<Method> methods = curves.stream().map(MeasuredCurve::method).toList();
    PaperCharts.write(
        folder.resolve(stem + ".png"), /* columns= */ 2, methods, PaperCharts.measured(curves));
  }

  Method method() {
    return Method.of(policy);
  }
}
