package io.sparkata.lab.paper;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The loss curve that {@code scripts/ata train-cnn} has written: {@code update,loss}.
 *
 * @param points by ascending update
 */
record LossFile(List<Point> points) {

  /** The mean training loss of the updates since the point before. */
  record Point(long update, double loss) {}

  static LossFile read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new RunFailure(
          "Cannot replay a loss curve: there is no "
              + file
              + ". Set --loss=<a file of scripts/ata train-cnn>");
    }
    List<String> lines = Files.readAllLines(file);
    if (lines.size() < 2 || !lines.get(0).equals("update,loss")) {
      throw new RunFailure(
          "Invalid " + file + ": a header update,loss and a line or more are needed");
    }
    List<Point> points = new ArrayList<>();
    long before = 0;
    for (String line : lines.subList(1, lines.size())) {
      Point point = parse(line);
      if (point == null || point.update() <= before) {
        throw new RunFailure(
            "Invalid " + file + ": '" + line + "' (an update above " + before + ", a loss)");
      }
      points.add(point);
      before = point.update();
    }
    return new LossFile(List.copyOf(points));
  }

  /** Null where the line is no point. */
  private static Point parse(String line) {
    int comma = line.indexOf(',');
    try {
      double loss = Double.parseDouble(line.substring(comma + 1));
      return Double.isFinite(loss)
          ? new Point(Long.parseLong(line.substring(0, Math.max(comma, 0))), loss)
          : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  long updates() {
    return points.get(points.size() - 1).update();
  }

  long firstUpdate() {
    return points.get(0).update();
  }

  /** That of the last point up to update, from the first on. */
  double lossAt(long update) {
    double loss = points.get(0).loss();
    for (Point point : points) {
      if (point.update() > update) {
        break;
      }
      loss = point.loss();
    }
    return loss;
  }

  /** The first update, up to last, by which the loss was at most target. */
  OptionalLong reaches(double target, long last) {
    return points.stream()
        .filter(point -> point.loss() <= target && point.update() <= last)
        .mapToLong(Point::update)
        .findFirst();
  }
}
