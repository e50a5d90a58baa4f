package io.sparkata.whatif;

import static io.sparkata.report.ReportText.count;
import static io.sparkata.report.ReportText.format;
import static io.sparkata.report.ReportText.seconds;

import io.sparkata.report.SavedSeconds;
import io.sparkata.report.SlowestExecutor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The estimate as lines of text. */
final class WhatIfText {
  /** Trainings and executors of more than so many are counted, not named. */
  static final int NAMED = 10;

  private WhatIfText() {}

  /** What one application would have saved, and by which trainings. */
  static List<String> lines(PastApplication application) {
    List<String> lines = new ArrayList<>();
    lines.add(first(application));
    lines.add("  " + verdict(application));
    List<PastTraining> trainings =
        application.trainings().stream()
            .sorted(Comparator.comparing((PastTraining one) -> one.route().isEmpty()))
            .toList();
    trainings.stream().limit(NAMED).forEach(one -> lines.add("  - " + line(one)));
    if (trainings.size() > NAMED) {
      lines.add(format("  - and %,d more", trainings.size() - NAMED));
    }
    return lines;
  }

  private static String first(PastApplication application) {
    return format(
        "%s \"%s\" (Spark %s): %s s, %s",
        application.id(),
        application.name(),
        application.sparkVersion(),
        seconds(application.seconds()),
        count(application.executors(), "executor"));
  }

  /** One sentence. */
  static String verdict(PastApplication application) {
    String byAta =
        application.byAta() == 0
            ? ""
            : format("; Spark ATA ran %s of it", count(application.byAta(), "training"));
    long served = application.trainings().stream().filter(one -> one.route().isPresent()).count();
    if (served == 0) {
      return "No training that Spark ATA serves" + byAta;
    }
    SavedSeconds saved = application.saved();
    return format(
        "%s s in rounds of %s that Spark ATA serves; it would have saved %s%s",
        seconds(application.secondsInRounds()),
        count(served, "training"),
        saved.low() > 0 ? range(saved) : "nothing",
        byAta);
  }

  static String range(SavedSeconds saved) {
    return seconds(saved.low()) + " to " + seconds(saved.high()) + " s";
  }

  private static String line(PastTraining training) {
    return format(
        "%s: %s in %s s; %s",
        training.name(),
        count(training.rounds().rounds(), "round"),
        seconds(training.rounds().seconds()),
        training.saved().isEmpty()
            ? "nothing to save: " + training.why()
            : format(
                "%s (%s) less%s; relative speeds %s",
                range(training.saved().get()),
                percent(training),
                training.rounds().slowest().map(WhatIfText::slowest).orElse(""),
                speeds(training)));
  }

  /** Of the time in rounds. */
  private static String percent(PastTraining training) {
    SavedSeconds saved = training.saved().orElseThrow();
    double seconds = training.rounds().seconds();
    return format("%.0f to %.0f %%", 100 * saved.low() / seconds, 100 * saved.high() / seconds);
  }

  private static String slowest(SlowestExecutor slowest) {
    return format("; slowest executor %s on %s", slowest.even().executor(), slowest.even().host());
  }

  private static String speeds(PastTraining training) {
    Map<String, Double> speeds = relativeSpeeds(training);
    String named =
        speeds.entrySet().stream()
            .limit(NAMED)
            .map(one -> format("%s=%.2f", one.getKey(), one.getValue()))
            .collect(Collectors.joining(" "));
    return speeds.size() > NAMED ? named + " and " + (speeds.size() - NAMED) + " more" : named;
  }

  /** By executor; the slowest one has 1. */
  static Map<String, Double> relativeSpeeds(PastTraining training) {
    Map<String, Double> speeds = new TreeMap<>(training.rounds().speeds());
    double slowest = speeds.values().stream().mapToDouble(Double::doubleValue).min().orElse(1);
    speeds.replaceAll((executor, speed) -> speed / slowest);
    return speeds;
  }
}
