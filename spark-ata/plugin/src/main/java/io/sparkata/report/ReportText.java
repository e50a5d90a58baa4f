package io.sparkata.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The words of the report: at most two lines per training. */
final class ReportText {
  /** Executors that a line names. */
  private static final int NAMED = 10;

  private ReportText() {}

  /**
   * A training by Spark ATA.
   *
   * @param isHandedOver whether MLlib ran its last rounds
   */
  static List<String> trained(
      long number, String site, TrainedSummary summary, boolean isHandedOver) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "Spark ATA ran training %d: %s, %s of %s s%s, %s s in rounds; even shares would"
                + " have taken %s s (%s). %s",
            number,
            site,
            count(summary.rounds(), "round"),
            seconds(summary.seconds() / summary.rounds()),
            isHandedOver ? " (MLlib ran the rest)" : "",
            seconds(summary.seconds()),
            seconds(summary.evenSeconds()),
            saved(summary.seconds(), summary.evenSeconds()),
            packing(summary) + dropped(summary)));
    if (!isHandedOver) { // whose second line is the reason
      summary.slowest().ifPresent(slowest -> lines.add(slowest(number, slowest)));
    }
    return lines;
  }

  private static String packing(TrainedSummary summary) {
    if (summary.isPackingASum()) {
      return "The first sum, which packed the data, took "
          + seconds(summary.packSeconds())
          + " s besides";
    }
    return "Packing took "
        + seconds(summary.packSeconds())
        + " s, "
        + (summary.paidBackAfter().isPresent()
            ? "paid back after " + count(summary.paidBackAfter().getAsInt(), "round")
            : "not paid back");
  }

  /** Nothing, except under the policy greedy. */
  private static String dropped(TrainedSummary summary) {
    return summary.droppedSeconds() > 0
        ? ". Slots worked "
            + seconds(summary.usedSeconds())
            + " s for the sums and "
            + seconds(summary.droppedSeconds())
            + " s that were dropped"
        : "";
  }

  /** A training by MLlib that was observed. */
  static List<String> observed(long number, String site, ObservedSummary summary) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "Spark ATA observed training %d: %s, %s of %s s by MLlib, %s s with allocation (%s), %s"
                + " s and %s s in all",
            number,
            site,
            count(summary.rounds(), "round"),
            seconds(summary.seconds() / summary.rounds()),
            seconds(summary.allocatedSeconds() / summary.rounds()),
            less(summary.allocatedSeconds(), summary.seconds()),
            seconds(summary.seconds()),
            seconds(summary.allocatedSeconds())));
    summary
        .slowest()
        .ifPresent(
            slowest ->
                lines.add(
                    slowest(number, slowest) + "; relative speeds" + relative(summary.speeds())));
    return lines;
  }

  /** A training that MLlib ran, with the reason, a clause. */
  static String left(long number, String site, String reason, String advice) {
    return String.format(
        Locale.ROOT,
        "Spark ATA left training %d to Spark: %s, because %s. %s",
        number,
        site,
        reason,
        advice);
  }

  private static String slowest(long number, SlowestExecutor slowest) {
    SlowestExecutor.Even even = slowest.even();
    return String.format(
        Locale.ROOT,
        "Spark ATA training %d: slowest host %s (executor %s), %s s for an even share, against %s s"
            + " for the median of %d executors, mostly by %s: kernel %s s, per-round overhead %s s,"
            + " fetching %s s",
        number,
        even.host(),
        even.executor(),
        seconds(even.seconds()),
        seconds(slowest.medianSeconds()),
        slowest.executors(),
        slowest.cause().text(),
        seconds(even.kernel()),
        seconds(even.overhead()),
        seconds(even.fetching()));
  }

  private static String relative(Map<String, Double> speeds) {
    double slowest = speeds.values().stream().mapToDouble(Double::doubleValue).min().orElse(1);
    String named =
        speeds.entrySet().stream()
            .limit(NAMED)
            .map(
                speed ->
                    String.format(
                        Locale.ROOT, " %s=%.2f", speed.getKey(), speed.getValue() / slowest))
            .collect(Collectors.joining());
    return speeds.size() > NAMED ? named + " and " + (speeds.size() - NAMED) + " more" : named;
  }

  private static String saved(double actual, double even) {
    double share = even > 0 ? 100 * (even - actual) / even : 0;
    return share >= 0.5
        ? String.format(Locale.ROOT, "%.0f %% saved", share)
        : share <= -0.5 ? String.format(Locale.ROOT, "%.0f %% lost", -share) : "nothing saved";
  }

  private static String less(double allocated, double actual) {
    return String.format(
        Locale.ROOT, "%.0f %% less", actual > 0 ? 100 * (actual - allocated) / actual : 0);
  }

  private static String count(int number, String noun) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? noun : noun + "s");
  }

  /** As many digits as one reads at a glance. */
  static String seconds(double value) {
    return String.format(
        Locale.ROOT, value < 9.9995 ? "%.3f" : value < 999.95 ? "%.1f" : "%,.0f", value);
  }
}
