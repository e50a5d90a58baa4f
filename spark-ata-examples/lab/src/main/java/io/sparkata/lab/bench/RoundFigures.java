package io.sparkata.lab.bench;

import io.sparkata.lab.Medians;
import io.sparkata.lab.Rounds;
import io.sparkata.lab.Rounds.Round;
import io.sparkata.lab.RunFailure;
import io.sparkata.simulation.Hindsight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Figures of a turn's round log: the rows and the time of each executor. */
final class RoundFigures {
  private RoundFigures() {}

  /** The log of an application's last training, that with the highest number. */
  static Path lastLog(Path folder, String applicationId) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(applicationId + "-call-"))
          .max(Comparator.comparing((Path file) -> file.toString().length()).thenComparing(f -> f))
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
    int count = rounds.all().size();
    double byJob = rounds.seconds("stage");
    double byMessage = rounds.seconds("resident");
    Map<String, Double> figures = turn.figures();
    figures.put("packSeconds", rounds.packSeconds());
    figures.put("jobSeconds", byJob);
    figures.put("messageSeconds", byMessage);
    figures.put("restSeconds", turn.callSeconds() - rounds.packSeconds() - byJob - byMessage);
    figures.put("droppedSeconds", total(rounds, worker -> worker.droppedNanos() / 1e9));
    figures.put("kernelSeconds", total(rounds, Rounds.Worker::seconds));
    Map<String, Double> samples = rounds.sum(0, count, Rounds.Worker::samples);
    Map<String, Double> speeds = rounds.speeds(0, count);
    put(turn, "rowsByExecutor", ids, id -> samples.getOrDefault(id, 0.0) / count);
    put(turn, "millisPerRow", ids, id -> 1e3 / speeds.getOrDefault(id, 0.0));
    addHindsight(figures, rounds);
  }

  private static double total(Rounds rounds, ToDoubleFunction<Rounds.Worker> figure) {
    return sum(rounds.sum(0, rounds.all().size(), figure));
  }

  /** Adds what {@link Hindsight} says, by the speeds of the kernels and of the fetches. */
  static void addHindsight(Map<String, Double> figures, Rounds log) {
    List<Round> rounds = log.all().stream().filter(round -> !round.isPacking()).toList();
    double bytes = log.all().stream().mapToLong(Round::packedBytes).sum();
    double fetched = total(log, worker -> worker.fetchedBytes() + worker.movedBytes());
    double nanos = total(log, worker -> worker.fetchNanos() + worker.moveNanos());
    double fetchSeconds = bytes / fetched * nanos / 1e9;
    if (rounds.isEmpty() || !Double.isFinite(fetchSeconds)) {
      return;
    }
    double batch = Medians.of(rounds, Round::samples);
    double rest = Medians.of(rounds, round -> round.nanos() / 1e9 - round.longestSeconds());
    double[] wholes =
        log.speeds(0, log.all().size()).values().stream().mapToDouble(v -> batch / v).toArray();
    ToDoubleFunction<double[]> round = times -> rest + Arrays.stream(times).max().orElse(0);
    double all = rounds.stream().mapToLong(Round::nanos).sum() / 1e9;
    double least = Hindsight.time(wholes, fetchSeconds, rounds.size(), round);
    figures.put("fetchRounds", fetchSeconds / Hindsight.time(wholes, Double.MAX_VALUE, 1, round));
    double call = figures.get(Turn.CALL);
    figures.put("ratioToHindsight", call / (call - all + least));
  }

  /** A value that is not finite is null in JSON. */
  private static void put(
      Turn turn, String name, List<String> ids, ToDoubleFunction<String> value) {
    List<Double> values = new ArrayList<>();
    for (String id : ids) {
      double one = value.applyAsDouble(id);
      values.add(Double.isFinite(one) ? one : null);
    }
    turn.series().put(name, values);
  }

  /** Adds each executor's part of the rows by round. */
  static void addShares(Turn turn, Rounds rounds, List<String> ids) {
    for (int i = 0; i < ids.size(); i++) {
      String id = ids.get(i);
      Stream<Double> percents = rounds.samples().stream().map(round -> percent(round, id));
      turn.series().put("percentOfExecutor" + (i + 1), percents.toList());
    }
  }

  private static double percent(Map<String, Long> round, String id) {
    long all = round.values().stream().mapToLong(Long::longValue).sum();
    return all == 0 ? 0 : 100.0 * round.getOrDefault(id, 0L) / all;
  }

  /**
   * Adds what rests on the executors' speeds, those of their kernels in all rounds.
   *
   * @param batch rows of a round
   */
  static void addEfficiency(Turn turn, double batch, Rounds rounds) {
    int count = rounds.all().size();
    Map<String, Double> speeds = rounds.speeds(0, count);
    turn.figures().put("efficiency", batch / sum(speeds) / turn.secondsPerIteration());
    Map<String, Double> samples = rounds.sum(count / 2, count, Rounds.Worker::samples);
    double scale = sum(speeds) / sum(samples);
    ToDoubleFunction<String> error =
        id -> Math.abs(samples.getOrDefault(id, 0.0) * scale / speeds.get(id) - 1);
    turn.figures().put("shareError", speeds.keySet().stream().mapToDouble(error).max().orElse(0));
  }

  /** Of all values. */
  static double sum(Map<String, Double> values) {
    return values.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
