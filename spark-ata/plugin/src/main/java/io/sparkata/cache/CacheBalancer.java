package io.sparkata.cache;

import io.sparkata.cluster.Executor;
import io.sparkata.gate.Trouble;
import io.sparkata.report.ReportText;
import io.sparkata.spark.CachedBlocks;
import io.sparkata.spark.SparkListeners;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the stages that read cached partitions, and moves partitions of those RDDs that were read
 * several times. On a listener queue of its own. A failure here ends the balancing, with one WARN,
 * and no job. Driver only.
 */
public final class CacheBalancer extends SparkListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheBalancer.class);

  /** Stages that must have read an RDD: as many more are expected. */
  private static final int READS = 3;

  /** A plan must save this part of a stage. */
  private static final double GAIN = 0.1;

  /** Moves to one executor by one plan; the next plan knows more. */
  private static final int MOST_AT_ONCE = 4;

  /** Of a copy, before one was measured. */
  private static final double BYTES_PER_SECOND = 50e6;

  private final SparkContext context;
  private final Supplier<List<Executor>> live;
  private final CacheMoves moves;
  private final StageSpeeds speeds = new StageSpeeds();
  private final Map<Integer, CachedStage> stages = new HashMap<>();
  private final Map<List<Integer>, Integer> reads = new HashMap<>();
  private boolean isBroken;

  private CacheBalancer(SparkContext context, Supplier<List<Executor>> live) {
    this.context = context;
    this.live = live;
    this.moves = new CacheMoves(context);
  }

  /**
   * Starts to watch.
   *
   * @param live executors
   */
  public static CacheBalancer start(SparkContext context, Supplier<List<Executor>> live) {
    CacheBalancer balancer = new CacheBalancer(context, live);
    SparkListeners.addListener(context, balancer, "ata-cache");
    return balancer;
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted event) {
    guard(
        () ->
            CachedStage.of(event.stageInfo())
                .ifPresent(stage -> stages.put(event.stageInfo().stageId(), stage)));
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    CachedStage stage = stages.get(event.stageId());
    if (stage != null) {
      guard(() -> stage.add(event));
    }
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted event) {
    CachedStage stage = stages.remove(event.stageInfo().stageId());
    if (stage != null && event.stageInfo().failureReason().isEmpty()) {
      guard(() -> completed(stage));
    }
  }

  private void guard(Runnable step) {
    if (isBroken) {
      return;
    }
    try {
      step.run();
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      isBroken = true;
      LOG.warn(
          "Spark ATA: cannot balance cached partitions ({}); they stay where they are. Set"
              + " spark.ata.cache=off",
          error.toString(),
          error);
    }
  }

  private void completed(CachedStage stage) {
    List<Executor> executors = live.get();
    Set<String> ids = executors.stream().map(Executor::id).collect(Collectors.toSet());
    speeds.retain(ids);
    moves.retain(ids);
    Map<String, Double> measured = stage.secondsPerWeight();
    measured.keySet().retainAll(ids);
    if (measured.isEmpty()) {
      return;
    }
    speeds.add(measured);
    int seen = reads.merge(stage.rdds(), 1, Integer::sum);
    boolean isReady = seen >= READS && executors.size() > 1 && !speeds.isEmpty();
    if (isReady && stage.rdds().stream().noneMatch(moves::isMoving)) {
      plan(stage, seen, executors);
    }
  }

  private void plan(CachedStage stage, int seen, List<Executor> executors) {
    Map<String, Integer> positions = new HashMap<>();
    double[] secondsPerWeight = new double[executors.size()];
    for (int e = 0; e < secondsPerWeight.length; e++) {
      Executor executor = executors.get(e);
      positions.put(executor.id(), e);
      secondsPerWeight[e] = speeds.cost() * speeds.slowness(executor.id()) / executor.slots();
    }
    List<CachedPartition> partitions = partitions(stage, positions);
    if (partitions.isEmpty()) {
      return;
    }
    PartitionPlan.Plan plan =
        PartitionPlan.of(
            partitions.stream().mapToDouble(one -> stage.isByBytes() ? one.bytes() : 1).toArray(),
            partitions.stream().mapToInt(one -> positions.get(one.executor())).toArray(),
            secondsPerWeight);
    double saved = plan.before() - plan.after();
    long bytes =
        plan.moves().stream().mapToLong(move -> partitions.get(move.partition()).bytes()).sum();
    if (saved < GAIN * plan.before() || saved * seen < bytes / bytesPerSecond()) {
      return;
    }
    LOG.info(
        "Spark ATA: moves {} of {} cached partitions of RDD {}, {} bytes, for stages of {} s instead"
            + " of {} s",
        plan.moves().size(),
        partitions.size(),
        stage.rdds(),
        bytes,
        ReportText.seconds(plan.after()),
        ReportText.seconds(plan.before()));
    order(plan, partitions, executors, secondsPerWeight);
  }

  /** Partitions that can be moved: empty if one of them cannot. */
  private List<CachedPartition> partitions(CachedStage stage, Map<String, Integer> positions) {
    Map<Integer, List<CachedBlocks.Block>> byPartition = new HashMap<>();
    for (CachedBlocks.Block block : CachedBlocks.of(context, stage.rdds(), stage.partitions())) {
      if (!block.isPlain() || !positions.containsKey(block.executor())) {
        return List.of();
      }
      byPartition.computeIfAbsent(block.partition(), unused -> new ArrayList<>()).add(block);
    }
    Set<Integer> copied = new HashSet<>();
    byPartition.forEach(
        (partition, blocks) -> {
          if (blocks.stream().map(CachedBlocks.Block::rdd).distinct().count() < blocks.size()) {
            copied.add(partition);
          }
        });
    byPartition.keySet().removeAll(copied);
    return byPartition.values().stream().map(CachedPartition::new).toList();
  }

  /** The blocks of a partition, one of each RDD; it is where the first of them is. */
  private record CachedPartition(List<CachedBlocks.Block> blocks) {
    String executor() {
      return blocks.get(0).executor();
    }

    long bytes() {
      return blocks.stream().mapToLong(CachedBlocks.Block::bytes).sum();
    }
  }

  private double bytesPerSecond() {
    double seconds = moves.copySeconds();
    return seconds > 0 ? moves.movedBytes() / seconds : BYTES_PER_SECOND;
  }

  /** From the slowest first. */
  private void order(
      PartitionPlan.Plan plan,
      List<CachedPartition> partitions,
      List<Executor> executors,
      double[] secondsPerWeight) {
    Map<Integer, Integer> byReceiver = new HashMap<>();
    plan.moves().stream()
        .sorted(Comparator.comparingDouble(move -> -secondsPerWeight[move.from()]))
        .filter(move -> byReceiver.merge(move.to(), 1, Integer::sum) <= MOST_AT_ONCE)
        .forEach(
            move -> {
              String to = executors.get(move.to()).id();
              for (CachedBlocks.Block block : partitions.get(move.partition()).blocks()) {
                if (!block.executor().equals(to)) {
                  moves.add(block, to, () -> CachedBlocks.tagOf(context, block.rdd()));
                }
              }
            });
  }

  /** Blocks that were moved. */
  public int moved() {
    return moves.moved();
  }

  @Override
  public void close() {
    SparkListeners.removeListener(context, this);
    moves.close();
    if (moves.moved() + moves.failed() > 0) {
      LOG.info(
          "Spark ATA: cached blocks moved={} bytes={} seconds={} failed={}",
          moves.moved(),
          moves.movedBytes(),
          ReportText.seconds(moves.copySeconds()),
          moves.failed());
    }
  }
}
