package io.sparkata.lab.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Trainings of the network in Markdown: a table for each cluster, and one of the executors. */
final class CnnTables {
  private static final double[] LOSSES = {1, 0.8, 0.6, 0.5, 0.4, 0.3};

  private CnnTables() {}

  static String of(List<CnnMeasurement> trainings) {
    StringBuilder text = new StringBuilder();
    trainings.stream()
        .map(CnnMeasurement::speeds)
        .distinct()
        .forEach(
            speeds ->
                text.append(
                    table(trainings.stream().filter(one -> one.speeds().equals(speeds)).toList())));
    return text.toString();
  }

  private static String table(List<CnnMeasurement> trainings) {
    CnnMeasurement one = trainings.get(0);
    String heading =
        String.format(
            Locale.ROOT,
            "%nspeeds %s: %d weights, %d of %d images a round, %d updates%n%n",
            one.speeds().replace(',', ':'),
            one.weights(),
            one.batch(),
            one.images(),
            one.iterations());
    return heading
        + MarkdownTable.of(columns(trainings), trainings)
        + "\nimages per round by executor (milliseconds of its kernel per image):\n\n"
        + MarkdownTable.of(shares(one.shares().size()), trainings);
  }

  private static Map<String, Function<CnnMeasurement, String>> columns(
      List<CnnMeasurement> trainings) {
    Map<String, Function<CnnMeasurement, String>> columns = new LinkedHashMap<>();
    columns.put("side", CnnMeasurement::side);
    columns.put("ms/round", one -> figure("%.1f", one.medianMillis()));
    columns.put("s", one -> figure("%.1f", one.end().seconds()));
    if (trainings.get(0).isOfRing()) {
      addRing(columns, trainings);
    }
    columns.put("worker s", one -> figure("%.1f", one.end().workerSeconds()));
    columns.put("loss", one -> figure("%.4f", one.end().loss()));
    columns.put("dropped", one -> figure("%.1f", one.end().droppedSeconds()));
    double most = trainings.stream().mapToDouble(one -> one.end().loss()).max().orElseThrow();
    for (double loss : LOSSES) {
      if (loss >= most && !trainings.get(0).isOfRing()) {
        columns.put("to loss " + loss, one -> to(loss, one));
      }
    }
    columns.put("packing s", one -> figure("%.1f", one.packSeconds()));
    columns.put("resident", one -> figure("%.2f", one.residentShare()));
    columns.put("stolen", one -> figure("%.2f", one.stolenShare()));
    columns.put("loss differs", one -> figure("%.1g", one.lossDifference()));
    return columns;
  }

  /** What equal shares of the same kind take more, and who computes how much of a batch. */
  private static void addRing(
      Map<String, Function<CnnMeasurement, String>> columns, List<CnnMeasurement> trainings) {
    columns.put("saved", one -> saved(one, trainings, training -> training.end().seconds()));
    columns.put("a round", one -> saved(one, trainings, CnnMeasurement::medianMillis));
    String[] speeds = trainings.get(0).speeds().split(",", -1);
    for (String speed : Arrays.stream(speeds).distinct().toList()) {
      columns.put(
          "images at " + speed,
          one ->
              figure(
                  "%.0f %%",
                  IntStream.range(0, speeds.length)
                          .filter(i -> speeds[i].equals(speed))
                          .mapToDouble(i -> one.shares().get(i).images())
                          .sum()
                      * 100
                      / one.batch()));
    }
  }

  private static String saved(
      CnnMeasurement one, List<CnnMeasurement> trainings, ToDoubleFunction<CnnMeasurement> time) {
    String equal = one.side().startsWith("ring-") ? CnnMeasurement.RING_EQUAL : "uniform";
    return trainings.stream()
        .filter(other -> other.side().equals(equal) && !one.side().equals(equal))
        .findFirst()
        .map(
            other ->
                figure("%.0f %%", 100 * (1 - time.applyAsDouble(one) / time.applyAsDouble(other))))
        .orElse("");
  }

  /** Seconds, and worker seconds, at the first point with such a loss. */
  private static String to(double loss, CnnMeasurement one) {
    return one.points().stream()
        .filter(point -> point.loss() <= loss)
        .findFirst()
        .map(point -> figure("%.1f", point.seconds()) + figure(" (%.1f)", point.workerSeconds()))
        .orElse("");
  }

  private static Map<String, Function<CnnMeasurement, String>> shares(int executors) {
    Map<String, Function<CnnMeasurement, String>> columns = new LinkedHashMap<>();
    columns.put("side", CnnMeasurement::side);
    for (int i = 0; i < executors; i++) {
      int executor = i;
      columns.put(
          "" + (i + 1),
          one -> {
            CnnMeasurement.Share share = one.shares().get(executor);
            return figure("%.2f", share.images()) + figure(" (%.1f)", share.millisPerImage());
          });
    }
    return columns;
  }

  private static String figure(String format, double value) {
    return MarkdownTable.figure(format, value);
  }
}
