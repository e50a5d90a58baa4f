package io.sparkata.cache;

import static io.sparkata.cache.StageLessons.READS;

import io.sparkata.cache.PartitionPlan.Move;
import io.sparkata.cache.PartitionPlan.Plan;
import io.sparkata.cluster.Cluster;
import io.sparkata.cluster.Executor;
import io.sparkata.gate.Trouble;
import io.sparkata.observation.StageData;
import io.sparkata.report.ReportText;
import io.sparkata.report.Reporter;
import io.sparkata.spark.CachedBlocks;
import io.sparkata.spark.CachedBlocks.Block;
import io.sparkata.spark.SparkListeners;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListenerUnpersistRDD;
import org.apache.spark.scheduler.StageInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the stages that read cached partitions. Moves partitions of RDDs that were read several
 * times, and with them those of what a stage has computed from them, or only reports what that
 * would save. On a listener queue of its own. A failure here ends the balancing, with one WARN, and
 * no job. Driver only.
 */
public final class CacheBalancer extends CachedStageListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheBalancer.class);

  private final SparkContext context;
  private final Cluster cluster;
  private final Reporter reporter;
  private final boolean isObserving;
  private final boolean isBalancing;
  private final CacheMoves moves;
  private final CacheGains gains;
  private final Trials trials = new Trials();
  private final LocalityWait wait;
  private boolean isBroken;

  private CacheBalancer(
      SparkContext context,
      Cluster cluster,
      Reporter reporter,
      boolean isObserving,
      Optional<String> toMove) {
    this.context = context;
    this.cluster = cluster;
    this.isObserving = isObserving;
    this.reporter = reporter;
    this.isBalancing = toMove.isEmpty();
    this.moves = new CacheMoves(context, isBalancing);
    this.gains = new CacheGains(toMove);
    this.wait = new LocalityWait(context);
  }

  /**
   * Starts to watch.
   *
   * @param reporter reports at the end
   * @param isObserving whether Spark trains, and reports say what allocation would save
   * @param toMove the setting that would let partitions move; empty if they do
   */
  public static CacheBalancer start(
      SparkContext context,
      Cluster cluster,
      Reporter reporter,
      boolean isObserving,
      Optional<String> toMove) {
    CacheBalancer balancer = new CacheBalancer(context, cluster, reporter, isObserving, toMove);
    SparkListeners.addListener(context, balancer, "ata-cache");
    return balancer;
  }

  /** The report of a training covers its stages. */
  @Override
  boolean isFollowed(StageInfo info, CachedStage stage) {
    return !isObserving || StageData.of(info).isEmpty();
  }

  private static double secondsOf(StageInfo stage) {
    long submitted = (Long) stage.submissionTime().get();
    return ((Long) stage.completionTime().get() - submitted) / 1e3;
  }

  @Override
  public void onUnpersistRDD(SparkListenerUnpersistRDD event) {
    moves.forget(event.rddId());
    gains.forget(event.rddId());
    trials.forget(event.rddId());
    wait.forget(event.rddId());
    lessons.forget(event.rddId());
  }

  @Override
  void guard(Runnable step) {
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

  @Override
  void completed(CachedStage stage, StageInfo info) {
    List<Executor> executors = cluster.staying();
    Set<String> ids = executors.stream().map(Executor::id).collect(Collectors.toSet());
    moves.retain(ids);
    lessons
        .add(stage, executors)
        .filter(reads -> reads.isRead(READS - 1))
        .ifPresent(reads -> look(stage, secondsOf(info), executors, reads));
  }

  private void look(CachedStage stage, double seconds, List<Executor> executors, Reads reads) {
    Set<String> ids = executors.stream().map(Executor::id).collect(Collectors.toSet());
    long start = System.nanoTime();
    boolean isAsked = reads.pace().isTime(start);
    if (isAsked) {
      reads.found(
          CachedPartition.of(CachedBlocks.of(context, stage.held(), stage.partitions()), ids));
    }
    List<CachedPartition> partitions = reads.partitions();
    if (isAsked && isBalancing) {
      moves.drop(CachedPartition.spares(partitions, slowness(executors)));
    }
    boolean isAnyMovable = partitions.stream().anyMatch(CachedPartition::isMovable);
    if (isAnyMovable && partitions.stream().allMatch(one -> ids.contains(one.executor()))) {
      boolean isPlanned = reads.canBePlanned() && plan(stage, seconds, executors, reads, isAsked);
      if (isAsked && isBalancing && !isPlanned) {
        probe(partitions, moves::probe);
      }
    }
    if (isAsked) {
      reads.pace().done(start, System.nanoTime());
    }
  }

  /** Of all slots of an executor together. One that Spark has excluded is slower than any other. */
  private ToDoubleFunction<String> slowness(List<Executor> executors) {
    Set<String> excluded = cluster.excluded();
    Map<String, Double> slowness = new HashMap<>();
    for (Executor one : executors) {
      double ofSlot = excluded.contains(one.id()) ? 1e9 : lessons.speeds().slowness(one.id());
      slowness.put(one.id(), ofSlot / one.slots());
    }
    return slowness::get;
  }

  /** Returns whether the partitions may move; they do if that helps and their places are new. */
  private boolean plan(
      CachedStage stage, double seconds, List<Executor> executors, Reads reads, boolean isNew) {
    int oldest = stage.rdds().get(0);
    StageLoad load =
        StageLoad.of(stage, reads.partitions(), executors, lessons.speeds(), reads.lately());
    Optional<Plan> plan = Optional.of(load.plan()).filter(load::isWorthIt);
    gains.add(oldest, stage.name(), seconds, load, plan, reads.isLight());
    reporter.post(gains.event(oldest, System.currentTimeMillis(), moves.moved(oldest)));
    boolean mayMove =
        isBalancing
            && stage.rdds().stream().allMatch(moves::canMove)
            && stage.held().stream().allMatch(moves::mayMove);
    if (mayMove && isNew) {
      probe(reads.partitions(), moves::probe); // what the stage has computed
      plan.ifPresent(better -> move(stage, reads.stages(), load, better));
      if (plan.isEmpty() && !reads.isLight()) {
        settled(stage, load);
      }
    }
    return mayMove;
  }

  /**
   * Asks the fastest executor what a send takes, as the slowest one, held at its CPU quota, may
   * answer only after seconds. The slowest one's sends take longer by the ratio of their speeds.
   */
  private void probe(List<CachedPartition> partitions, ObjDoubleConsumer<Block> moves) {
    CachedPartition.toProbe(partitions, lessons.speeds()::slowness).forEach(moves::accept);
  }

  private void settled(CachedStage stage, StageLoad load) {
    int oldest = stage.rdds().get(0);
    if (moves.moved(oldest).partitions() > 0) {
      wait.settled(oldest, load.longestSeconds());
    }
    trials.next(oldest, load).ifPresent(move -> trial(stage, load, move));
  }

  private void trial(CachedStage stage, StageLoad load, Move move) {
    if (!order(load, List.of(move)).isEmpty()) {
      LOG.info(
          "Spark ATA: executor {} has no cached partition of RDD {}; it gets one, to see how fast"
              + " it is now",
          load.executors().get(move.to()).id(),
          stage.rdds());
    }
  }

  private void move(CachedStage stage, int seen, StageLoad load, Plan plan) {
    List<CachedPartition> partitions = load.partitions();
    double price =
        plan.moves().stream()
            .mapToDouble(move -> moves.seconds(partitions.get(move.partition()).blocks()))
            .sum();
    if ((plan.before() - plan.after()) * seen < price) {
      probe(partitions, moves::probeAgain);
      return;
    }
    wait.forget(stage.rdds().get(0)); // until then idle executors may help
    List<Move> some = order(load, plan.moves());
    if (!some.isEmpty()) {
      LOG.info(
          "Spark ATA: moves {} of {} cached partitions of RDD {}; {} in all make a stage take {} s"
              + " instead of {} s",
          some.size(),
          partitions.size(),
          stage.rdds(),
          plan.moves().size(),
          ReportText.seconds(plan.after()),
          ReportText.seconds(plan.before()));
    }
  }

  /** Orders those of the moves that fit, to executors that get tasks. */
  private List<Move> order(StageLoad load, List<Move> all) {
    List<CachedPartition> partitions = load.partitions();
    Set<String> excluded = cluster.excluded();
    List<Move> wanted =
        all.stream().filter(move -> !excluded.contains(load.ids().get(move.to()))).toList();
    List<Move> some =
        Room.of(context, load.executors()).some(wanted, partitions, load.usual().perWeight());
    some.forEach(
        move -> order(partitions.get(move.partition()), load.executors().get(move.to()).id()));
    return some;
  }

  private void order(CachedPartition partition, String to) {
    moves.add(
        partition.blocks().stream().filter(block -> !block.executor().equals(to)).toList(), to);
  }

  @Override
  public void close() {
    SparkListeners.removeListener(context, this);
    moves.close();
    wait.end();
    gains.line(moves.summary()).ifPresent(line -> reporter.log(() -> line));
  }
}
