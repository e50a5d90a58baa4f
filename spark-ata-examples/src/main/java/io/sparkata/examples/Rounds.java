package io.sparkata.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the round log tells of one training.
 *
 * @param packSeconds packing, within the call
 * @param samples per round, counted from 0, the samples by executor id
 */
public record Rounds(double packSeconds, List<Map<String, Long>> samples) {

  /** Reads a log of Spark ATA; tries that had to be repeated are left out. */
  public static Rounds read(Path log) throws IOException {
    if (!Files.exists(log)) {
      throw new RunFailure(
          "Cannot find the round log "
              + log
              + ": Spark ATA left the training to MLlib, see its log lines above.");
    }
    ObjectMapper json = new ObjectMapper();
    double packSeconds = 0;
    List<Map<String, Long>> samples = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      JsonNode round = json.readTree(line);
      packSeconds += round.path("packNanos").asLong() / 1e9;
      if (!round.path("repeated").asBoolean()) {
        Map<String, Long> byExecutor = new TreeMap<>();
        for (JsonNode worker : round.get("workers")) {
          byExecutor.put(worker.get("id").asText(), worker.get("samples").asLong());
        }
        samples.add(byExecutor);
      }
    }
    return new Rounds(packSeconds, samples);
  }

  /** Stock MLlib's: every executor goes over the rows that it holds. */
  public static Rounds fixed(Map<String, Long> rows, int rounds) {
    return new Rounds(0, java.util.Collections.nCopies(rounds, rows));
  }

  /** Mean samples by executor from {@code round}, counted from 1, on. */
  public Map<String, Double> meanFrom(int round) {
    List<Map<String, Long>> late = samples.subList(round - 1, samples.size());
    Map<String, Double> means = new TreeMap<>();
    for (Map<String, Long> one : late) {
      one.forEach((id, count) -> means.merge(id, (double) count / late.size(), Double::sum));
    }
    return means;
  }
}
