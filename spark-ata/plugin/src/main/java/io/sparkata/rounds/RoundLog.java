package io.sparkata.rounds;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.allocation.Allocator;
import io.sparkata.cluster.AtaRuntime.Executor;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.rounds.RoundPlanner.Planned;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One JSON object per round, one file per training; the fields stand in docs/round-log.md. Trouble
 * with the file ends the log with one WARN, never the training.
 */
public final class RoundLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RoundLog.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final long call;
  private final String policy;
  private Writer out;
  private long packNanos;
  private long blocks;
  private long bytes;

  private RoundLog(long call, String policy, Writer out) {
    this.call = call;
    this.policy = policy;
    this.out = out;
  }

  /** A log that writes nothing. */
  public static RoundLog none(long call, String policy) {
    return new RoundLog(call, policy, null);
  }

  /**
   * A log in {@code folder}, which is created if needed.
   *
   * @param call number of the training within the application
   */
  public static RoundLog in(
      String folder, String applicationId, long call, String policy, Configuration hadoop) {
    try {
      Path file = new Path(folder, applicationId + "-call-" + call + ".jsonl");
      FileSystem system = file.getFileSystem(hadoop);
      if (system instanceof LocalFileSystem local) {
        system = local.getRawFileSystem(); // without checksum files, readable while it grows
      }
      Writer out =
          new OutputStreamWriter(
              system.create(file, /* overwrite= */ true), StandardCharsets.UTF_8);
      return new RoundLog(call, policy, out);
    } catch (IOException | RuntimeException | LinkageError error) {
      RoundLog log = none(call, policy);
      log.giveUp(error);
      return log;
    }
  }

  /** Remembers the packing, which the next entry carries. */
  void packed(int blockCount, long byteCount, long nanos) {
    packNanos = nanos;
    blocks = blockCount;
    bytes = byteCount;
  }

  /** Number of the training within the application. */
  long call() {
    return call;
  }

  /** Starts the entry of one try at a round. */
  Entry round(int round, int attempt) {
    Entry entry = new Entry();
    entry.json.put("call", call).put("round", round).put("attempt", attempt).put("policy", policy);
    if (packNanos > 0) {
      entry.json.put("packNanos", packNanos).put("blocks", blocks).put("packedBytes", bytes);
      packNanos = 0;
    }
    return entry;
  }

  private void write(ObjectNode json) {
    if (out == null) {
      return;
    }
    try {
      out.write(toText(json) + "\n");
      out.flush();
    } catch (IOException | RuntimeException | LinkageError error) {
      giveUp(error);
    }
  }

  private static String toText(ObjectNode json) throws JsonProcessingException {
    return JSON.writeValueAsString(json);
  }

  private void giveUp(Throwable error) {
    LOG.warn(
        "Spark ATA: cannot write the round log ({}); the training goes on without it. Set"
            + " spark.ata.roundLog.path to a folder that can be written",
        error.toString());
    Writer given = out;
    out = null;
    closeQuietly(given);
  }

  private static void closeQuietly(Writer given) {
    if (given != null) {
      try {
        given.close();
      } catch (IOException | RuntimeException | LinkageError again) {
        LOG.debug("Spark ATA: cannot close the round log", again);
      }
    }
  }

  @Override
  public void close() {
    if (out != null) {
      try {
        out.close();
      } catch (IOException | RuntimeException | LinkageError error) {
        giveUp(error);
      }
      out = null;
    }
  }

  /** The entry of one try at a round, filled as the round goes. */
  final class Entry {
    private final ObjectNode json = JSON.createObjectNode();
    private final ArrayNode reasons = JSON.createArrayNode();
    private final long start = System.nanoTime();
    private ObjectNode[] workers = new ObjectNode[0];
    private double rowsPerUnit;

    /**
     * @param executors the live ones
     * @param serving those of them who serve the round, in the same order
     */
    void planned(List<Executor> executors, List<Executor> serving, Planned planned) {
      if (out == null) {
        return;
      }
      PlacementPlan plan = planned.plan();
      rowsPerUnit = planned.rowsPerUnit();
      json.put("budget", planned.budget());
      json.put("resting", executors.size() - serving.size());
      json.put("allocateNanos", planned.allocateNanos());
      json.put("placeNanos", planned.placeNanos());
      json.put("cuts", plan.cuts());
      json.put("movedBlocks", plan.moves().size());
      json.put("movedBytes", plan.moves().stream().mapToLong(PlacementPlan.Move::bytes).sum());
      if (plan.isKept()) {
        reasons.add("kept the last plan: moving would not pay in the rounds left");
      }
      long[] rows = plan.rows();
      workers = new ObjectNode[executors.size()];
      int next = 0;
      for (int i = 0; i < workers.length; i++) {
        Executor executor = executors.get(i);
        boolean serves = next < serving.size() && serving.get(next).id().equals(executor.id());
        workers[i] =
            JSON.createObjectNode()
                .put("id", executor.id())
                .put("host", executor.host())
                .put("slots", executor.slots())
                .put("units", serves ? planned.units()[next] : 0)
                .put("rows", serves ? rows[next] : 0);
        next += serves ? 1 : 0;
      }
    }

    void ran(long nanos) {
      json.put("jobNanos", nanos);
    }

    void repacked(List<Integer> lost, int partitions, String reason) {
      reasons.add(
          "packed " + partitions + " partitions again, " + lost.size() + " blocks: " + reason);
    }

    void complete(RoundSum sum, Allocator allocator) {
      if (out == null) {
        return;
      }
      Map<String, TaskReport> totals = new HashMap<>();
      for (TaskReport report : sum.reports()) {
        totals.computeIfAbsent(report.executorId, TaskReport::new).add(report);
      }
      json.put("samples", sum.count());
      for (ObjectNode worker : workers) {
        String id = worker.get("id").asText();
        TaskReport total = totals.getOrDefault(id, new TaskReport(id));
        worker.put("samples", total.sampledRows);
        worker.put("kernelNanos", total.kernelNanos);
        worker.put("fetchNanos", total.fetchNanos);
        worker.put("fetchedBytes", total.fetchedBytes);
        worker.put("keptBlocks", total.keptBlocks);
        double estimate = allocator.meanTime(id);
        if (!Double.isNaN(estimate)) {
          worker.put("estimatedNanosPerSample", estimate);
        }
        double fixed = allocator.fixedTime(id) * rowsPerUnit;
        if (fixed > 0) {
          worker.put("estimatedFixedNanos", fixed);
        }
      }
      finish();
    }

    void repeat() {
      json.put("repeated", true);
      finish();
    }

    private void finish() {
      json.put("nanos", System.nanoTime() - start);
      json.putArray("workers").addAll(List.of(workers));
      json.set("reasons", reasons);
      write(json);
    }
  }
}
