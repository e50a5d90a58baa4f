package io.sparkata.lab;

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
 * The figures of one training in the round log.
 *
 * @param packSeconds packing, within the call
 * @param samples per round, counted from 0, the samples by executor id
 * @param fixedSeconds the same way, the policy's estimate of an executor's overhead per round, less
 *     the least of all executors'
 * @param kernelSeconds the same way, how long its kernel ran, over its slots
 * @param droppedSeconds per round, those of all kernels whose results were dropped: of the policy
 *     greedy
 */
public record Rounds(
    double packSeconds,
    List<Map<String, Long>> samples,
    List<Map<String, Double>> fixedSeconds,
    List<Map<String, Double>> kernelSeconds,
    List<Double> droppedSeconds) {

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
    List<Map<String, Double>> fixedSeconds = new ArrayList<>();
    List<Map<String, Double>> kernelSeconds = new ArrayList<>();
    List<Double> droppedSeconds = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      JsonNode round = json.readTree(line);
      packSeconds += round.path("packNanos").asLong() / 1e9;
      if (!round.path("repeated").asBoolean()) {
        Map<String, Long> samplesById = new TreeMap<>();
        Map<String, Double> fixedById = new TreeMap<>();
        Map<String, Double> kernelById = new TreeMap<>();
        double dropped = 0;
        for (JsonNode worker : round.get("workers")) {
          String id = worker.get("id").asText();
          samplesById.put(id, worker.get("samples").asLong());
          fixedById.put(id, worker.path("estimatedFixedNanos").asLong() / 1e9);
          kernelById.put(id, worker.path("kernelNanos").asLong() / 1e9);
          dropped += worker.path("droppedNanos").asLong() / 1e9;
        }
        samples.add(samplesById);
        fixedSeconds.add(fixedById);
        kernelSeconds.add(kernelById);
        droppedSeconds.add(dropped);
      }
    }
    return new Rounds(packSeconds, samples, fixedSeconds, kernelSeconds, droppedSeconds);
  }

  /**
   * Samples per second of kernel by executor from {@code round}, counted from 1, on; 0 for one that
   * had none.
   */
  public Map<String, Double> speedsFrom(int round) {
    Map<String, Double> seconds = meanFrom(round, kernelSeconds);
    Map<String, Double> speeds = new TreeMap<>();
    meanFrom(round)
        .forEach((id, count) -> speeds.put(id, count == 0 ? 0 : count / seconds.get(id)));
    return speeds;
  }

  /** Mean samples by executor from {@code round}, counted from 1, on. */
  public Map<String, Double> meanFrom(int round) {
    return meanFrom(round, samples);
  }

  /** Mean fixed seconds by executor from {@code round}, counted from 1, on. */
  public Map<String, Double> meanFixedSecondsFrom(int round) {
    return meanFrom(round, fixedSeconds);
  }

  private static Map<String, Double> meanFrom(
      int round, List<? extends Map<String, ? extends Number>> rounds) {
    List<? extends Map<String, ? extends Number>> late = rounds.subList(round - 1, rounds.size());
    Map<String, Double> means = new TreeMap<>();
    for (Map<String, ? extends Number> one : late) {
      one.forEach((id, value) -> means.merge(id, value.doubleValue(), Double::sum));
    }
    means.replaceAll((id, sum) -> sum / late.size());
    return means;
  }
}
