package io.sparkata.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The words of the report: at most two lines per training, the first at most 160 characters. */
public final class ReportText {
  static final int LONGEST_FIRST = 160;
  static final int LONGEST_FAILURE = 400;

  /** Executors that a line names. */
  private static final int NAMED = 10;

  /** An executor is called slow if an equal share takes it this much longer than the median one. */
  private static final double SLOW = 1.1;

  /** What precedes the exception of a task. */
  private static final Pattern OF_TASK =
      Pattern.compile("^.*Lost task \\S+ in stage \\S+ \\(TID \\d+\\) \\(\\S+ executor \\S+\\): ");

  private ReportText() {}

  /**
   * A training by Spark ATA.
   *
   * @param isHandedOver whether MLlib ran its last rounds
   */
  static List<String> trained(
      long number, String name, TrainedSummary summary, boolean isHandedOver) {
    String figures =
        format(
            "%s in %s s%s; %s",
            count(summary.rounds(), "round"),
            seconds(summary.seconds()),
            isHandedOver ? " (MLlib ran the rest)" : "",
            saved(summary));
    List<String> lines = new ArrayList<>();
    lines.add(first("Spark ATA ran training " + number + ": ", name, ": " + figures));
    if (!isHandedOver) { // whose second line is the reason
      lines.add(
          format(
              "Spark ATA training %d: %s s a round; packing%s took %s s%s%s%s%s",
              number,
              seconds(summary.seconds() / summary.rounds()),
              summary.isPackingASum() ? " with the first sum" : "",
              seconds(summary.packSeconds()),
              moved(summary.moved()),
              summary.lacking().map(ReportText::lacking).orElse(""),
              summary.slowest().map(ReportText::slowest).orElse(""),
              summary
                  .unmeasured()
                  .map(id -> "; executor " + id + " had too few rows to tell its speed")
                  .orElse("")));
    }
    return lines;
  }

  private static String moved(MovedRows moved) {
    return moved.receivers() == 0
        ? ""
        : format(
            "; moved %,.1f MB to %s, %s s of it waited for",
            moved.bytes() / 1e6,
            count(moved.receivers(), "executor"),
            seconds(moved.waitedSeconds()));
  }

  private static String lacking(LackingMemory lacking) {
    return format(
        "; executor %s has no memory for %,.1f MB of the rows that it could compute",
        lacking.executor(), lacking.bytes() / 1e6);
  }

  /** With the name cut so that the line is short enough. */
  private static String first(String before, String name, String after) {
    int room = Math.max(20, LONGEST_FIRST - before.length() - after.length());
    return before + (name.length() <= room ? name : name.substring(0, room - 3) + "...") + after;
  }

  private static String saved(TrainedSummary summary) {
    if (summary.knownSaved().isEmpty()) {
      return "saved over even shares: not known yet";
    }
    boolean isLeast = summary.unmeasured().isPresent();
    SavedSeconds saved = summary.knownSaved().get();
    double seconds = summary.seconds();
    if (!saved.isCertain()) {
      return "even shares: no certain difference";
    }
    String range = seconds(seconds + saved.low()) + " to " + seconds(seconds + saved.high());
    double share = 100 * saved.seconds() / (seconds + saved.seconds());
    return format(
        "even shares: %s%s s (%s), %.0f %% %s",
        isLeast ? "at least " : "",
        seconds(seconds + saved.seconds()),
        range,
        Math.abs(share),
        share > 0 ? "saved" : "lost");
  }

  /** A training by MLlib that was observed. */
  static List<String> observed(long number, String name, ObservedSummary summary) {
    double seconds = summary.seconds();
    String figures = "not known yet";
    if (summary.saved().isPresent()) {
      SavedSeconds saved = summary.saved().get();
      String range = seconds(seconds - saved.high()) + " to " + seconds(seconds - saved.low());
      figures =
          saved.low() > 0
              ? format(
                  "%s s, %.0f to %.0f %% less",
                  range, 100 * saved.low() / seconds, 100 * saved.high() / seconds)
              : "nothing certain to save (" + range + " s)";
    }
    return List.of(
        first(
            "Spark ATA observed training " + number + ": ",
            name,
            format(
                ": %s in %s s by Spark; with allocation: %s",
                count(summary.rounds(), "round"), seconds(seconds), figures)),
        format(
            "Spark ATA training %d: %s s a round%s; relative speeds%s",
            number,
            seconds(seconds / summary.rounds()),
            summary.slowest().map(ReportText::slowest).orElse(""),
            relative(summary.speeds())));
  }

  /** A training that MLlib ran, with the reason, a clause. */
  static String left(long number, String site, String reason, String advice) {
    return format(
        "Spark ATA left training %d to Spark: %s, because %s. %s", number, site, reason, advice);
  }

  /** A step of ours that failed, after which Spark ran the rest. */
  static String failed(long number, String step) {
    return format("Spark ATA training %d: cannot %s; Spark ran the rest", number, cut(step));
  }

  /**
   * A training that threw an exception: its message's first line, since Spark adds its stack; if
   * tasks failed, what the last one threw.
   */
  static String failed(long number, Throwable error) {
    String text = error.toString().lines().findFirst().orElse("");
    return format(
        "Spark ATA training %d failed: %s", number, cut(OF_TASK.matcher(text).replaceFirst("")));
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_FAILURE ? text : text.substring(0, LONGEST_FAILURE - 3) + "...";
  }

  /** Nothing if no executor is much slower than the median one. */
  private static String slowest(SlowestExecutor slowest) {
    SlowestExecutor.Even even = slowest.even();
    if (even.seconds() < SLOW * slowest.medianSeconds()) {
      return "";
    }
    return format(
        "; slowest host %s (executor %s): %s s for an even share (kernel %s, overhead %s),"
            + " %s s for the median of %d executors",
        even.host(),
        even.executor(),
        seconds(even.seconds()),
        seconds(even.kernel()),
        seconds(even.overhead()),
        seconds(slowest.medianSeconds()),
        slowest.executors());
  }

  private static String relative(Map<String, Double> speeds) {
    double slowest = speeds.values().stream().mapToDouble(Double::doubleValue).min().orElse(1);
    String named =
        speeds.entrySet().stream()
            .limit(NAMED)
            .map(speed -> format(" %s=%.2f", speed.getKey(), speed.getValue() / slowest))
            .collect(Collectors.joining());
    return speeds.size() > NAMED ? named + " and " + (speeds.size() - NAMED) + " more" : named;
  }

  /** As {@link String#format}, alike in every country. */
  public static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  /** Such as {@code 2 rounds}. */
  public static String count(long number, String noun) {
    return format("%,d %s", number, number == 1 ? noun : noun + "s");
  }

  /** As many digits as one reads at a glance. */
  public static String seconds(double value) {
    return format(value < 9.9995 ? "%.3f" : value < 999.95 ? "%.1f" : "%,.0f", value);
  }
}
