package io.sparkata.whatif;

import static io.sparkata.report.ReportText.count;
import static io.sparkata.report.ReportText.format;
import static io.sparkata.report.ReportText.seconds;

import io.sparkata.cache.PastStages.Past;
import io.sparkata.report.SavedSeconds;
import io.sparkata.report.SlowestExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
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
    list(application.trainings(), WhatIfText::line, lines);
    if (!application.stages().isEmpty()) {
      lines.add("  " + verdictOnStages(application));
      list(application.stages(), WhatIfText::line, lines);
    }
    return lines;
  }

  private static <T> void list(List<T> all, Function<T, String> line, List<String> lines) {
    all.stream().limit(NAMED).forEach(one -> lines.add("  - " + line.apply(one)));
    if (all.size() > NAMED) {
      lines.add(format("  - and %,d more", all.size() - NAMED));
    }
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

  /** One sentence on its trainings. */
  static String verdict(PastApplication application) {
    String byAta =
        application.byAta() == 0
            ? ""
            : format("; Spark ATA ran %s of it", count(application.byAta(), "training"));
    if (application.trainings().isEmpty()) {
      return "No training that Spark ATA serves" + byAta;
    }
    SavedSeconds saved = application.savedByTrainings();
    return format(
        "%s s in rounds of %s that Spark ATA serves; it would have saved %s%s",
        seconds(application.secondsInRounds()),
        count(application.trainings().size(), "training"),
        saved.low() > 0 ? range(saved) : "nothing",
        byAta);
  }

  /** One sentence on its other stages over cached partitions. */
  static String verdictOnStages(PastApplication application) {
    int stages = application.stages().stream().mapToInt(Past::stages).sum();
    SavedSeconds saved = application.savedByStages();
    return format(
        "%s s in %s over cached partitions; moved partitions would have saved %s",
        seconds(application.secondsInStages()),
        count(stages, "other stage"),
        saved.low() > 0 ? range(saved) : "nothing certain");
  }

  private static String line(Past stages) {
    return format(
        "%s: %s in %s s; %s",
        stages.name(),
        count(stages.stages(), "stage"),
        seconds(stages.seconds()),
        stages.isCertain()
            ? format(
                "%s (%s) less", range(stages.saved()), percent(stages.saved(), stages.seconds()))
            : "nothing certain");
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
                percent(training.saved().get(), training.rounds().seconds()),
                training.rounds().slowest().map(WhatIfText::slowest).orElse(""),
                speeds(training)));
  }

  private static String percent(SavedSeconds saved, double seconds) {
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
