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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a round log, one training's JSON lines as docs/monitoring.md has them. An executor's time
 * per sample is kernelNanos / samples / slots, for its slots compute at once. Tries that were
 * repeated are left out, and executors that never computed.
 */
public final class RoundLogReader {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Executors are numbered: 2 before 10. */
  private static final Comparator<String> BY_NUMBER =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private final Path file;
  private final List<Map<String, Double>> rounds = new ArrayList<>();
  private final Set<String> ids = new LinkedHashSet<>();
  private double samples;
  private double runtime;
  private int budget;

  private RoundLogReader(Path file) {
    this.file = file;
  }

  /**
   * Reads the log of one training.
   *
   * @throws IllegalArgumentException if a line is none of a round log, or no executor computed
   * @throws IOException if the file cannot be read
   */
  public static RecordedTrace read(Path file) throws IOException {
    RoundLogReader reader = new RoundLogReader(file);
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      reader.addLine(lines.get(i), i + 1);
    }
    return reader.trace();
  }

  private void addLine(String line, int number) {
    JsonNode round;
    try {
      round = JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw invalid(number, "not JSON: " + e.getOriginalMessage(), e);
    }
    if (!round.path("workers").isArray()) {
      throw invalid(number, "no array 'workers'", null);
    }
    if (round.path("repeated").asBoolean()) {
      return;
    }
    budget = Math.max(budget, (int) number(round, "budget", number));
    Map<String, Double> times = new HashMap<>();
    double slowest = 0;
    for (JsonNode worker : round.get("workers")) {
      double computed = number(worker, "samples", number);
      double nanos = number(worker, "kernelNanos", number) / number(worker, "slots", number);
      if (!worker.path("id").isTextual() || !Double.isFinite(nanos)) {
        throw invalid(number, "a worker without an 'id' or with 0 'slots'", null);
      }
      if (computed > 0 && nanos > 0) {
        times.put(worker.get("id").asText(), nanos / computed);
        samples += computed;
        slowest = Math.max(slowest, nanos);
      }
    }
    ids.addAll(times.keySet());
    rounds.add(times);
    runtime += slowest;
  }

  private double number(JsonNode object, String field, int line) {
    JsonNode value = object.path(field);
    if (!value.isNumber() || value.asDouble() < 0) {
      throw invalid(line, "no number '" + field + "' of at least 0", null);
    }
    return value.asDouble();
  }

  private RecordedTrace trace() {
    if (ids.isEmpty() || budget == 0) {
      throw new IllegalArgumentException(
          "Invalid round log " + file + ": no executor computed anything in it");
    }
    List<String> workers = ids.stream().sorted(BY_NUMBER).toList();
    return new RecordedTrace(workers, rounds, samples / rounds.size(), runtime, budget);
  }

  private IllegalArgumentException invalid(int line, String reason, Throwable cause) {
    return new IllegalArgumentException(
        "Invalid round log " + file + ", line " + line + ": " + reason, cause);
  }
}
