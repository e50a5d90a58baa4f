package io.sparkata.lab.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.simulation.RecordedTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a round log, one training's JSON lines as docs/monitoring.md has them. An executor's time
 * per sample is kernelNanos / samples / slots, for its slots compute at once. Tries that were
 * repeated are left out, and executors that never computed.
 */
final class RoundLogReader {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<Map<String, Double>> rounds = new ArrayList<>();
  private double samples;
  private double runtime;
  private int budget;

  private RoundLogReader() {}

  /**
   * Reads the log of one training.
   *
   * @throws IllegalArgumentException if a line is none of a round log, or no executor computed
   * @throws IOException if the file cannot be read
   */
  static RecordedTrace read(Path file) throws IOException {
    RoundLogReader reader = new RoundLogReader();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      try {
        reader.add(JSON.readTree(line));
      } catch (JsonProcessingException | IllegalArgumentException e) {
        String reason =
            e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        throw new IllegalArgumentException(
            "Invalid round log " + file + ", line " + number + ": " + reason, e);
      }
    }
    List<String> workers =
        reader.rounds.stream()
            .flatMap(round -> round.keySet().stream())
            .distinct()
            .sorted(Comparator.comparingInt(String::length).thenComparing(id -> id))
            .toList();
    if (workers.isEmpty()) {
      throw new IllegalArgumentException(
          "Invalid round log " + file + ": no executor computed anything in it");
    }
    double perRound = reader.samples / reader.rounds.size();
    return new RecordedTrace(workers, reader.rounds, perRound, reader.runtime, reader.budget);
  }

  private void add(JsonNode round) {
    JsonNode workers = round.required("workers");
    if (round.path("repeated").asBoolean()) {
      return;
    }
    budget = Math.max(budget, (int) number(round, "budget", 0));
    Map<String, Double> times = new HashMap<>();
    double slowest = 0;
    for (JsonNode worker : workers) {
      double computed = number(worker, "samples", 0);
      double nanos = number(worker, "kernelNanos", 0) / number(worker, "slots", 1);
      if (computed > 0 && nanos > 0) {
        times.put(worker.required("id").asText(), nanos / computed);
        samples += computed;
        slowest = Math.max(slowest, nanos);
      }
    }
    rounds.add(times);
    runtime += slowest;
  }

  private static double number(JsonNode object, String field, int least) {
    double value = object.required(field).asDouble(Double.NaN);
    if (!(value >= least)) {
      throw new IllegalArgumentException(
          field + " is " + object.get(field) + " (a number of at least " + least + ")");
    }
    return value;
  }
}
