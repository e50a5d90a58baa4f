package io.sparkata.lab.paper;

import io.sparkata.lab.Markdown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The ends of the poster's curves (c_i = 29 i, B = 23), as read off its figure, beside ours.
 *
 * @param round the poster's last, or ours where that comes first
 */
record PosterTable(Experiment experiment, long round) {
  static final int WORKERS = 51;
  static final long ROUNDS = 750_000;

  private static final double BAR = 0.01;
  private static final double[] NONE = {Double.NaN, Double.NaN};

  /** Runtime in 1e9, worker time in 1e10. */
  private static final Map<Method, double[]> PUBLISHED =
      Map.of(
          Method.GREEDY, new double[] {0.369, 1.883},
          Method.OPTIMAL_FIXED, new double[] {0.583, 0.299},
          Method.ATA_EMPIRICAL, new double[] {1.155, 0.527},
          Method.ATA, new double[] {1.575, 0.642},
          Method.UNIFORM, new double[] {3.571, 2.595});

  private static final String HEADING =
      "method|runtime, 1e9|published|deviation|worker time, 1e10|published|deviation"
          + "|runtime / GTA|GTA work / work";

  static PosterTable of(Experiment experiment) {
    return new PosterTable(experiment, Math.min(experiment.rounds(), ROUNDS));
  }

  /** Whether all published figures are met within 1 %; in a sentence. */
  String verdict() {
    if (round < ROUNDS) {
      return "The poster has 750,000 rounds. Run as many to compare.";
    }
    boolean isMet =
        PUBLISHED.entrySet().stream()
            .allMatch(
                entry -> {
                  double[] ours = end(experiment.curve(entry.getKey()));
                  return Math.abs(ours[0] / entry.getValue()[0] - 1) <= BAR
                      && Math.abs(ours[1] / entry.getValue()[1] - 1) <= BAR;
                });
    return (isMet ? "All" : "Not all") + " published figures are met within 1 %.";
  }

  String markdown() {
    double[] greedy = end(experiment.curve(Method.GREEDY));
    List<List<String>> rows = new ArrayList<>();
    for (Curve curve : experiment.curves()) {
      double[] ours = end(curve);
      double[] published = round < ROUNDS ? NONE : PUBLISHED.getOrDefault(curve.method(), NONE);
      List<String> row = new ArrayList<>(List.of(curve.method().label()));
      for (int i = 0; i < 2; i++) {
        String figure = round < ROUNDS ? "%.6f" : "%.4f";
        row.add(Markdown.cell(figure, ours[i]));
        row.add(Markdown.cell(figure, published[i]));
        row.add(Markdown.cell("%+.2f %%", 100 * (ours[i] / published[i] - 1)));
      }
      row.add(Markdown.cell("%.2f", ours[0] / greedy[0]));
      row.add(Markdown.cell("%.2f", greedy[1] / ours[1]));
      rows.add(row);
    }
    return Markdown.table(List.of(HEADING.split("\\|", -1)), rows);
  }

  private double[] end(Curve curve) {
    Curve.Point end = curve.at(round);
    return new double[] {end.runtime() / 1e9, end.workerTime() / 1e10};
  }
}
