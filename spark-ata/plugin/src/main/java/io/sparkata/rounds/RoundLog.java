package io.sparkata.rounds;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.allocation.Allocator;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.placement.PlacementPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;

/**
 * One JSON object per round, one file per training; docs/round-log.md lists the fields. If writing
 * fails, the log ends with one WARN and the training continues.
 */
public final class RoundLog implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The kind of a training by mini-batch gradient descent. */
  public static final String GRADIENT_DESCENT = "gradientDescent";

  /** The kind of the sums over one persisted RDD. */
  public static final String LBFGS = "lbfgs";

  private final long call;
  private final String kind;
  private final String policy;
  private final RoundFile file;
  private long packNanos;
  private long blocks;
  private long bytes;

  private RoundLog(long call, String kind, String policy, RoundFile file) {
    this.call = call;
    this.kind = kind;
    this.policy = policy;
    this.file = file;
  }

  /** A log that writes nothing. */
  public static RoundLog none(long call, String policy) {
    return new RoundLog(call, /* kind= */ "", policy, RoundFile.none());
  }

  /**
   * The log of one training of an application; one that writes nothing if {@code folder} is empty.
   *
   * @param call number of the training within the application
   * @param kind of the training
   */
  public static RoundLog of(
      SparkContext context, Optional<String> folder, long call, String kind, String policy) {
    String application = context.applicationId();
    Configuration hadoop = context.hadoopConfiguration();
    return folder
        .map(path -> in(path, application, call, kind, policy, hadoop))
        .orElseGet(() -> none(call, policy));
  }

  /**
   * A log in {@code folder}, which is created if needed.
   *
   * @param call number of the training within the application
   */
  static RoundLog in(
      String folder,
      String applicationId,
      long call,
      String kind,
      String policy,
      Configuration hadoop) {
    String name = applicationId + "-call-" + call + ".jsonl";
    return new RoundLog(call, kind, policy, RoundFile.in(folder, name, hadoop));
  }

  /** Remembers the packing for the next entry. */
  public void packed(int blockCount, long byteCount, long nanos) {
    packNanos = nanos;
    blocks = blockCount;
    bytes = byteCount;
  }

  /** Number of the training within the application. */
  public long call() {
    return call;
  }

  /** Starts the entry of one attempt at a round. */
  public Entry round(int round, int attempt) {
    Entry entry = new Entry();
    entry
        .json
        .put("call", call)
        .put("kind", kind)
        .put("round", round)
        .put("attempt", attempt)
        .put("policy", policy);
    if (packNanos > 0) {
      entry.json.put("packNanos", packNanos).put("blocks", blocks).put("packedBytes", bytes);
      packNanos = 0;
    }
    return entry;
  }

  /**
   * Writes the first round of a training whose packing is its first sum.
   *
   * @param reports one per executor
   */
  public void packedAndSummed(Members live, List<TaskReport> reports, long nanos) {
    Entry entry = round(/* round= */ 1, /* attempt= */ 1);
    entry.workers = live.executors().stream().map(Entry::worker).toArray(ObjectNode[]::new);
    Map<String, TaskReport> totals = entry.totals(reports);
    for (ObjectNode worker : entry.workers) {
      worker.put("rows", Entry.fill(worker, totals).rows);
    }
    entry.ran(/* isByMessage= */ false, nanos);
    entry.finish(nanos);
  }

  @Override
  public void close() {
    file.close();
  }

  /** The entry of one attempt at a round, filled while the round runs. */
  public final class Entry {
    private final ObjectNode json = JSON.createObjectNode();
    private final ArrayNode reasons = JSON.createArrayNode();
    private final long start = System.nanoTime();
    private ObjectNode[] workers = new ObjectNode[0];

    /** Adds the plan, with all members as workers. */
    void planned(RoundPlan plan) {
      if (!file.isOpen()) {
        return;
      }
      PlacementPlan placement = plan.placement();
      json.put("budget", plan.budget());
      json.put("allocateNanos", plan.allocateNanos());
      json.put("placeNanos", plan.placeNanos());
      json.put("cuts", placement.cuts());
      json.put("movedBlocks", placement.moves().size());
      json.put("movedBytes", placement.moves().stream().mapToLong(PlacementPlan.Move::bytes).sum());
      if (placement.refused() > 0) {
        reasons.add(
            "left "
                + placement.refused()
                + " blocks: moving them would not pay, or by chance only");
      }
      long[] rows = placement.rows();
      Members members = plan.members();
      workers = new ObjectNode[members.size()];
      for (int i = 0; i < workers.length; i++) {
        Executor executor = members.get(i);
        workers[i] = worker(executor).put("units", plan.units()[i]).put("rows", rows[i]);
      }
    }

    void ran(boolean isByMessage, long nanos) {
      json.put("execution", isByMessage ? "resident" : "stage");
      json.put("jobNanos", nanos);
    }

    public void repacked(List<Integer> lost, int partitions, String reason) {
      reasons.add(
          "packed " + partitions + " partitions again, " + lost.size() + " blocks: " + reason);
      json.put("repeated", true);
      finish();
    }

    void complete(List<TaskReport> reports, Allocator allocator) {
      if (!file.isOpen()) {
        return;
      }
      Map<String, TaskReport> totals = totals(reports);
      for (ObjectNode worker : workers) {
        TaskReport total = fill(worker, totals);
        worker.put("droppedNanos", 0);
        worker.put("fetchNanos", total.fetchNanos);
        worker.put("fetchedBytes", total.fetchedBytes);
        worker.put("keptBlocks", total.keptBlocks + total.movedBlocks);
        worker.put("moveNanos", total.movedNanos);
        worker.put("movedBytes", total.movedBytes);
        String id = total.executorId;
        double estimate = allocator.nanosPerRow(id);
        if (!Double.isNaN(estimate)) {
          worker.put("estimatedNanosPerSample", estimate);
        }
        double overhead = allocator.overheadNanos(id);
        if (overhead > 0) {
          worker.put("estimatedFixedNanos", overhead);
        }
      }
      finish();
    }

    /**
     * Completes a round of micro-tasks.
     *
     * @param live all executors that could take part
     * @param reports one per micro-task that counts
     * @param dropped nanoseconds of other micro-tasks, by executor
     */
    public void pulled(
        Members live, int budget, List<TaskReport> reports, Map<String, Long> dropped, long nanos) {
      if (!file.isOpen()) {
        return;
      }
      json.put("budget", budget);
      ran(/* isByMessage= */ true, nanos);
      workers = live.executors().stream().map(Entry::worker).toArray(ObjectNode[]::new);
      Map<String, TaskReport> totals = totals(reports);
      for (ObjectNode worker : workers) {
        TaskReport total = fill(worker, totals);
        String id = total.executorId;
        worker.put("units", reports.stream().filter(one -> one.executorId.equals(id)).count());
        worker.put("rows", total.rows);
        worker.put("droppedNanos", dropped.getOrDefault(id, 0L));
      }
      finish(nanos);
    }

    /** By executor. */
    private Map<String, TaskReport> totals(List<TaskReport> reports) {
      json.put("samples", reports.stream().mapToLong(report -> report.sampledRows).sum());
      Map<String, TaskReport> totals = new HashMap<>();
      reports.forEach(one -> totals.computeIfAbsent(one.executorId, TaskReport::new).add(one));
      return totals;
    }

    private static TaskReport fill(ObjectNode worker, Map<String, TaskReport> totals) {
      String id = worker.get("id").asText();
      TaskReport total = totals.getOrDefault(id, new TaskReport(id));
      worker.put("samples", total.sampledRows).put("kernelNanos", total.kernelNanos);
      return total;
    }

    private static ObjectNode worker(Executor executor) {
      return JSON.createObjectNode()
          .put("id", executor.id())
          .put("host", executor.host())
          .put("slots", executor.slots());
    }

    private void finish() {
      finish(System.nanoTime() - start);
    }

    private void finish(long nanos) {
      json.put("nanos", nanos);
      json.putArray("workers").addAll(List.of(workers));
      json.set("reasons", reasons);
      file.write(json);
    }
  }
}
