package io.sparkata.lab.paper;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** One loss curve against every allocator's clock: what it takes to reach a training loss. */
record CnnReplay(Experiment experiment, LossFile losses) {
  private static final double[] TARGETS = {0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01};

  /** The last update that both the curve and the clocks have. */
  long lastUpdate() {
    return Math.min(losses.updates(), experiment.rounds());
  }

  /** The clocks at log-spaced rounds that the loss is known for, the last update among them. */
  Experiment clocks() {
    long[] rounds =
        LongStream.of(RoundGrid.of(lastUpdate()))
            .filter(round -> round >= losses.firstUpdate())
            .toArray();
    return experiment.at(rounds);
  }

  /** Runtimes to the first update at which the loss is at most a target, and to the last update. */
  String markdown() {
    StringBuilder text =
        new StringBuilder("| training loss | update |")
            .append(cells(curve -> " " + curve.method().label() + " |"))
            .append("\n|---|---|")
            .append(cells(curve -> "---|"))
            .append('\n');
    for (double target : TARGETS) {
      OptionalLong update = losses.reaches(target, lastUpdate());
      if (update.isPresent()) {
        append(text, String.format(Locale.ROOT, "%.2f", target), update.getAsLong());
      }
    }
    append(
        text,
        String.format(Locale.ROOT, "%.4f (the end)", losses.lossAt(lastUpdate())),
        lastUpdate());
    return text.toString();
  }

  private void append(StringBuilder text, String loss, long update) {
    text.append(String.format(Locale.ROOT, "| %s | %,d |", loss, update))
        .append(
            cells(curve -> String.format(Locale.ROOT, " %.3f |", curve.at(update).runtime() / 1e6)))
        .append('\n');
  }

  private String cells(Function<Curve, String> cell) {
    return experiment.methods().stream()
        .map(method -> cell.apply(experiment.curve(method)))
        .collect(Collectors.joining());
  }
}
