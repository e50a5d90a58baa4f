package io.sparkata.lab.bench;

import io.sparkata.lab.Rounds;
import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;

/** Figures of a turn's round log: the rows and the time of each executor. */
final class RoundFigures {
  private RoundFigures() {}

  /** The log of the last training of this application. */
  static Rounds last(SparkContext context) throws IOException {
    return Rounds.read(
        lastLog(
            Path.of(context.getConf().get("spark.ata.roundLog.path")), context.applicationId()));
  }

  /** The log with the highest number. */
  static Path lastLog(Path folder, String applicationId) throws IOException {
    Pattern name = Pattern.compile(Pattern.quote(applicationId) + "-call-([0-9]+)\\.jsonl");
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> name.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .max(Comparator.comparing(match -> Long.valueOf(match.group(1))))
          .map(match -> folder.resolve(match.group()))
          .orElseThrow(
              () ->
                  new RunFailure("Cannot find a round log in " + folder + ": nothing was routed."));
    }
  }

  /**
   * Adds the figures.
   *
   * @param ids of the executors, in their order
   */
  static void add(Turn turn, Rounds rounds, List<String> ids) {
    double dropped = rounds.droppedSeconds().stream().mapToDouble(Double::doubleValue).sum();
    double kernels =
        rounds.kernelSeconds().stream()
            .flatMap(round -> round.values().stream())
            .mapToDouble(Double::doubleValue)
            .sum();
    turn.figures().put("packSeconds", rounds.packSeconds());
    turn.figures().put("droppedSeconds", dropped);
    turn.figures().put("kernelSeconds", kernels + dropped);
    Map<String, Double> means = rounds.meanFrom(1);
    Map<String, Double> speeds = rounds.speedsFrom(1);
    Map<String, Double> overheads = rounds.meanFixedSecondsFrom(settled(rounds));
    put(turn, "rowsByExecutor", ids, id -> means.getOrDefault(id, 0.0));
    put(turn, "millisPerRow", ids, id -> 1e3 / speeds.getOrDefault(id, 0.0));
    put(turn, "overheadMillis", ids, id -> 1e3 * overheads.getOrDefault(id, 0.0));
  }

  private static int settled(Rounds rounds) {
    return Math.max(1, rounds.samples().size() / 2);
  }

  private interface Value {
    double of(String id);
  }

  /** A value that is not finite is null in JSON. */
  private static void put(Turn turn, String name, List<String> ids, Value value) {
    turn.series()
        .put(
            name,
            ids.stream().map(value::of).map(one -> Double.isFinite(one) ? one : null).toList());
  }

  /** Adds each executor's part of the rows by round. */
  static void addShares(Turn turn, Rounds rounds, List<String> ids) {
    for (int i = 0; i < ids.size(); i++) {
      String id = ids.get(i);
      turn.series()
          .put(
              "percentOfExecutor" + (i + 1),
              rounds.samples().stream().map(round -> percent(round, id)).toList());
    }
  }

  private static double percent(Map<String, Long> round, String id) {
    long all = round.values().stream().mapToLong(Long::longValue).sum();
    return all == 0 ? 0 : 100.0 * round.getOrDefault(id, 0L) / all;
  }

  /**
   * Adds what rests on the calibrations before and after the turn, in rows per second by executor;
   * nothing if they are empty.
   *
   * @param batch rows of a round
   */
  static void addEfficiency(
      Turn turn,
      Rounds rounds,
      double batch,
      Map<String, Double> before,
      Map<String, Double> after) {
    double drift = 0;
    Map<String, Double> speeds = new TreeMap<>();
    for (Map.Entry<String, Double> one : before.entrySet()) {
      double later = after.getOrDefault(one.getKey(), Double.NaN);
      drift = Math.max(drift, Math.abs(later / one.getValue() - 1));
      speeds.put(one.getKey(), (later + one.getValue()) / 2);
    }
    turn.figures().put(Turn.DRIFT, drift);
    turn.figures().put("efficiency", batch / sum(speeds) / turn.secondsPerIteration());
    Map<String, Double> samples = new HashMap<>(rounds.meanFrom(settled(rounds)));
    double error = 0;
    for (Map.Entry<String, Double> speed : speeds.entrySet()) {
      double share = samples.getOrDefault(speed.getKey(), 0.0) / sum(samples);
      error = Math.max(error, Math.abs(share / (speed.getValue() / sum(speeds)) - 1));
    }
    turn.figures().put("shareError", error);
  }

  /** Of all values; NaN if there are none. */
  static double sum(Map<String, Double> values) {
    return values.isEmpty()
        ? Double.NaN
        : values.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
