package io.sparkata.lab.paper;

import io.sparkata.lab.Markdown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * One loss curve against every allocator's clock.
 *
 * @param losses by update, the mean training loss of the updates since the entry before
 */
record CnnReplay(Experiment experiment, NavigableMap<Long, Double> losses) {
  private static final double[] TARGETS = {0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01};

  /** Reads what {@code scripts/ata train-cnn} has written: {@code update,loss}. */
  static CnnReplay of(Experiment experiment, Path csv) throws IOException {
    NavigableMap<Long, Double> losses = new TreeMap<>();
    for (String line : Files.readAllLines(csv).stream().skip(1).toList()) {
      String[] cells = line.split(",", -1);
      losses.put(Long.valueOf(cells[0]), Double.valueOf(cells[1]));
    }
    return new CnnReplay(experiment, losses);
  }

  /** The last update that both the curve and the clocks have. */
  long lastUpdate() {
    return Math.min(losses.lastKey(), experiment.rounds());
  }

  /** NaN before the first update and after the last one of the curve. */
  double lossAt(long update) {
    boolean isKnown = update >= losses.firstKey() && update <= losses.lastKey();
    return isKnown ? losses.floorEntry(update).getValue() : Double.NaN;
  }

  /** Runtimes to the first update at which the loss is at most a target, and to the last update. */
  String markdown() {
    List<List<String>> rows = new ArrayList<>();
    for (double target : TARGETS) {
      losses.headMap(lastUpdate(), /* inclusive= */ true).entrySet().stream()
          .filter(entry -> entry.getValue() <= target)
          .findFirst()
          .ifPresent(entry -> rows.add(row("%.2f", target, entry.getKey())));
    }
    rows.add(row("%.4f (the end)", lossAt(lastUpdate()), lastUpdate()));
    return PaperReport.table(experiment, List.of("training loss", "update"), rows);
  }

  private List<String> row(String format, double loss, long update) {
    List<String> row = new ArrayList<>();
    row.add(Markdown.cell(format, loss));
    row.add(String.format(Locale.ROOT, "%,d", update));
    for (Curve curve : experiment.curves()) {
      row.add(Markdown.cell("%.3f", curve.at(update).runtime() / 1e6));
    }
    return row;
  }
}
