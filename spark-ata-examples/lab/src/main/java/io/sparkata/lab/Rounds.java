package io.sparkata.lab;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * One training's round log, as docs/round-log.md has it, without the tries that were repeated.
 *
 * @param all the rounds, counted from 0
 * @param packSeconds packing, within the call
 */
public record Rounds(List<Round> all, double packSeconds) {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  /**
   * A line of the log.
   *
   * @param nanos from the round's planning to its sum; of a round that is packing, packNanos
   */
  public record Round(
      boolean repeated,
      int budget,
      String execution,
      long nanos,
      long packNanos,
      long packedBytes,
      @JsonProperty(required = true) List<Worker> workers) {

    /** Whether it is the packing itself, which has no plan. */
    public boolean isPacking() {
      return nanos == packNanos;
    }

    /** Of all executors. */
    public double samples() {
      return workers.stream().mapToLong(Worker::samples).sum();
    }

    /** Of the executor that computed longest. */
    public double longestSeconds() {
      return workers.stream().mapToDouble(Worker::seconds).max().orElse(0);
    }
  }

  /**
   * What an executor did in a round.
   *
   * @param kernelNanos over its slots, which compute at once
   * @param droppedNanos of kernels whose results were dropped: of the policy greedy
   * @param fetchedBytes while a task waited, fetchNanos
   * @param movedBytes while the executor waited, moveNanos
   */
  public record Worker(
      @JsonProperty(required = true) String id,
      int slots,
      long samples,
      long kernelNanos,
      long droppedNanos,
      long fetchNanos,
      long fetchedBytes,
      long moveNanos,
      long movedBytes) {
    /** Computed or dropped. */
    public double seconds() {
      return (kernelNanos + droppedNanos) / 1e9;
    }
  }

  /**
   * Reads a log.
   *
   * @throws IllegalArgumentException if a line is none of a round log
   */
  public static Rounds read(Path log) throws IOException {
    List<Round> tries = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      try {
        tries.add(JSON.readValue(line, Round.class));
      } catch (JsonProcessingException error) {
        throw new IllegalArgumentException(
            "Invalid round log %s, line %d: %s"
                .formatted(log, tries.size() + 1, error.getOriginalMessage()),
            error);
      }
    }
    return new Rounds(
        tries.stream().filter(round -> !round.repeated()).toList(),
        tries.stream().mapToLong(Round::packNanos).sum() / 1e9);
  }

  /** The samples of each round by executor id. */
  public List<Map<String, Long>> samples() {
    return all.stream()
        .map(Round::workers)
        .map(workers -> workers.stream().collect(Collectors.toMap(Worker::id, Worker::samples)))
        .toList();
  }

  /** Seconds of the rounds that went so, {@code stage} or {@code resident}; packing is none. */
  public double seconds(String execution) {
    return all.stream()
            .filter(round -> execution.equals(round.execution()) && !round.isPacking())
            .mapToLong(Round::nanos)
            .sum()
        / 1e9;
  }

  /** The sum of a figure over the rounds from one to before another, by executor id. */
  public Map<String, Double> sum(int from, int to, ToDoubleFunction<Worker> figure) {
    Map<String, Double> sums = new TreeMap<>();
    for (Round round : all.subList(from, to)) {
      for (Worker worker : round.workers()) {
        sums.merge(worker.id(), figure.applyAsDouble(worker), Double::sum);
      }
    }
    return sums;
  }

  /** Samples per second of kernel in these rounds, by the id of each executor that had some. */
  public Map<String, Double> speeds(int from, int to) {
    Map<String, Double> speeds = sum(from, to, Worker::samples);
    speeds.values().removeIf(samples -> samples == 0);
    Map<String, Double> nanos = sum(from, to, Worker::kernelNanos);
    speeds.replaceAll((id, samples) -> 1e9 * samples / nanos.get(id));
    return speeds;
  }

  /**
   * For the simulator.
   *
   * @throws IllegalArgumentException if no executor computed
   */
  public RecordedTrace trace() {
    List<Map<String, Double>> nanosPerSample = new ArrayList<>();
    Set<String> ids =
        new TreeSet<>(Comparator.comparingInt(String::length).thenComparing(id -> id));
    double samples = 0;
    double runtime = 0;
    for (Round round : all) {
      Map<String, Double> times = new HashMap<>();
      double slowest = 0;
      for (Worker worker : round.workers()) {
        double nanos = (double) worker.kernelNanos() / Math.max(1, worker.slots());
        if (worker.samples() > 0 && nanos > 0) {
          times.put(worker.id(), nanos / worker.samples());
          samples += worker.samples();
          slowest = Math.max(slowest, nanos);
        }
      }
      ids.addAll(times.keySet());
      nanosPerSample.add(times);
      runtime += slowest;
    }
    if (ids.isEmpty()) {
      throw new IllegalArgumentException("Invalid round log: no executor computed anything in it");
    }
    int budget = all.stream().mapToInt(Round::budget).max().orElse(0);
    return new RecordedTrace(
        List.copyOf(ids), nanosPerSample, samples / all.size(), runtime, budget);
  }
}
