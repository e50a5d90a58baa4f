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

  /**
   * Draws stem.png and stem.svg, in the colours of the replayed figure. Points at second 0 are left
   * out.
   */
  public static void draw(Path folder, String stem, List<MeasuredCurve> curves) throws IOException {
    List<Method> methods = curves.stream().map(MeasuredCurve::method).toList();
    new Panels(2, methods, PaperCharts.measured(curves)).write(folder, stem);
  }

  Method method() {
    return Method.BUILT_IN.stream()
        .filter(method -> method.id().equals(policy))
        .findFirst()
        .orElseGet(() -> Method.own(policy, MeasuredCurve.class.getClassLoader()));
  }
}
