package io.sparkata.cluster;

import io.sparkata.config.AtaConf;
import io.sparkata.config.GpuUse;
import io.sparkata.config.Mode;
import io.sparkata.config.OnError;
import io.sparkata.memory.Resting;
import io.sparkata.memory.Speeds;
import io.sparkata.memory.SpeedsFile;
import io.sparkata.observation.Observer;
import io.sparkata.spark.SparkInternals;
import io.sparkata.spark.SparkInternals.LiveBlockManager;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Spark ATA in one SparkContext, from the plugin's start to its shutdown. Driver only. */
public final class AtaRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AtaRuntime.class);
  private static final int LONG_ROUNDS = 4;
  private static final Duration LONG_TASK = Duration.ofSeconds(1);
  private static final Map<SparkContext, AtaRuntime> RUNNING = new ConcurrentHashMap<>();

  private final SparkContext context;
  private final AtaConf conf;
  private final Speeds speeds;
  private final Resting resting = new Resting();
  private final Optional<Observer> observer;
  private final Counters counters = new Counters();
  private final FeedbackListener listener = new FeedbackListener();
  private final Set<String> reasonsLogged = ConcurrentHashMap.newKeySet();
  private final int coresIfUnknown;
  private final TaskSlots taskSlots;
  private final CapabilityReports statements = new CapabilityReports();
  private final boolean assignsGpus;
  private final Duration longestWait;

  /**
   * A live executor.
   *
   * @param slots the tasks that it runs at once
   * @param freeBytes storage memory that is not used
   * @param device what its kernels run on
   */
  public record Executor(String id, String host, int slots, long freeBytes, Device device) {
    private Executor without(int taken) {
      return taken == 0 ? this : new Executor(id, host, slots - taken, freeBytes, device);
    }
  }

  private AtaRuntime(SparkContext context, AtaConf conf) {
    this.context = context;
    this.conf = conf;
    this.speeds =
        new Speeds(
            conf.speedsPath().map(path -> new SpeedsFile(path, context::hadoopConfiguration)),
            /* failsOnError= */ conf.onError() == OnError.FAIL,
            Clock.systemUTC());
    this.observer =
        conf.mode() == Mode.OBSERVE
            ? Optional.of(new Observer(context, this::slots))
            : Optional.empty();
    this.coresIfUnknown = context.getConf().getInt("spark.executor.cores", 1);
    this.taskSlots = TaskSlots.of(context.getConf());
    this.assignsGpus =
        conf.gpu() != GpuUse.OFF
            && context.getConf().getLong("spark.executor.resource.gpu.amount", 0) > 0;
    this.longestWait =
        context.isLocal()
            ? Duration.ZERO // nobody else will come
            : Duration.ofSeconds(
                context
                    .getConf()
                    .getTimeAsSeconds("spark.scheduler.maxRegisteredResourcesWaitingTime", "30s"));
  }

  /** Starts listening; until {@link #close}, {@link #of} finds the runtime. */
  public static AtaRuntime start(SparkContext context, AtaConf conf) {
    RUNNING.keySet().removeIf(SparkContext::isStopped); // whose start failed after ours
    AtaRuntime runtime = new AtaRuntime(context, conf);
    SparkInternals.addListener(context, runtime.listener, "ata");
    RUNNING.put(context, runtime);
    return runtime;
  }

  /** The runtime of a context whose plugin is on. */
  public static Optional<AtaRuntime> of(SparkContext context) {
    return Optional.ofNullable(RUNNING.get(context));
  }

  public AtaConf conf() {
    return conf;
  }

  /** In the mode observe, who watches MLlib. */
  public Optional<Observer> observer() {
    return observer;
  }

  /** What is remembered of executors and hosts. */
  public Speeds speeds() {
    return speeds;
  }

  /** What is remembered of executors that trainings do better without. */
  public Resting resting() {
    return resting;
  }

  public Counters counters() {
    return counters;
  }

  /**
   * Live executors by id, as BlockManagerMaster counts them now, without those of resource profiles
   * that our tasks do not run under; in local mode the driver.
   */
  public List<Executor> executors() {
    boolean isLocal = context.isLocal();
    return SparkInternals.liveBlockManagers(context).stream()
        .filter(manager -> isLocal || !manager.isDriver())
        .filter(manager -> !listener.isOfOtherProfile(manager.executorId()))
        .sorted(Comparator.comparing(LiveBlockManager::executorId))
        .map(this::executor)
        .toList();
  }

  /** Live executors that are not about to leave, whether or not they get tasks now. */
  public List<Executor> staying() {
    return executors().stream().filter(one -> SparkInternals.isActive(context, one.id())).toList();
  }

  /**
   * The executors that samples go to, with the slots that they have for them: those that Spark
   * gives tasks to now. A task aimed at one that is about to leave, is excluded for failures, or
   * has all slots taken by long tasks of others, would wait as long as {@code spark.locality.wait}.
   * With {@code spark.ata.gpu=required} those with a usable GPU, for which it waits as long as
   * Spark does for executors.
   *
   * @param round how long a task of a round takes: another task is long that has run for some
   *     rounds by now, and for a second
   * @throws GpuRequiredException if there is none, with the causes
   */
  public List<Executor> workers(Duration round) {
    return conf.gpu() == GpuUse.REQUIRED
        ? statements.awaitGpus(() -> active(round), longestWait)
        : active(round);
  }

  /** All, with all slots, if none is. */
  private List<Executor> active(Duration round) {
    List<Executor> all = executors();
    List<Executor> active =
        withFreeSlots(all, round).stream()
            .filter(one -> SparkInternals.isActive(context, one.id()))
            .filter(one -> !listener.isExcluded(one.id(), one.host()))
            .toList();
    return active.isEmpty() ? all : active;
  }

  private List<Executor> withFreeSlots(List<Executor> all, Duration round) {
    long longMillis = Math.max(LONG_ROUNDS * round.toMillis(), LONG_TASK.toMillis());
    long since = System.currentTimeMillis() - longMillis;
    RunningTasks tasks = listener.runningTasks();
    if (!tasks.hasAnySince(since)) {
      return all;
    }
    Map<String, Integer> running = SparkInternals.runningTasks(context);
    return all.stream()
        .map(
            one ->
                one.without(tasks.countSince(one.id(), since, running.getOrDefault(one.id(), 0))))
        .filter(one -> one.slots() > 0)
        .toList();
  }

  /** On Spark's threads: an executor has stated what computes there. */
  public void stated(ExecutorCapabilities statement) {
    statements.add(statement);
  }

  private Device deviceOf(String executorId) {
    if (!assignsGpus) {
      return Device.CPU;
    }
    return statements
        .of(executorId)
        .map(statement -> statement.hasUsableGpu() ? Device.GPU : Device.CPU)
        .orElse(Device.UNKNOWN);
  }

  private Map<String, Integer> slots() {
    return executors().stream().collect(Collectors.toMap(Executor::id, Executor::slots));
  }

  private Executor executor(LiveBlockManager manager) {
    String id = manager.executorId();
    int slots = taskSlots.of(listener.coresOf(id, coresIfUnknown));
    return new Executor(id, manager.host(), slots, manager.freeBytes(), deviceOf(id));
  }

  /** Counts a training left to MLlib for want of gain, and logs each reason once. */
  public void passedThrough(String reason) {
    leftToMllib(reason + ". Set spark.ata.passThrough=never to forbid it");
  }

  /** The same where Spark ATA could not serve the training, whatever is set. */
  public void leftToMllib(String reason) {
    counters.passedThrough.incrementAndGet();
    if (reasonsLogged.add(reason)) {
      LOG.info("Spark ATA leaves the training to MLlib: {}", reason);
    }
  }

  /**
   * The same where something is set so that Spark ATA cannot work.
   *
   * @throws IllegalStateException if errors are to be thrown
   */
  public void cannotServe(String cause, String whatToDo) {
    if (conf.failsOnTrouble()) {
      throw new IllegalStateException("Spark ATA cannot work: " + cause + ". " + whatToDo);
    }
    counters.passedThrough.incrementAndGet();
    if (reasonsLogged.add(cause)) {
      LOG.warn("Spark ATA: {}; trainings are left to MLlib. {}", cause, whatToDo);
    }
  }

  /**
   * Starts collecting the feedback of one training call.
   *
   * @param nanosId id of the call's accumulator of kernel nanoseconds
   * @param rowsId id of the call's accumulator of sampled rows
   */
  public CallFeedback openFeedback(long nanosId, long rowsId, long fetchId) {
    CallFeedback feedback = new CallFeedback(nanosId, rowsId, fetchId, counters);
    listener.add(feedback);
    return feedback;
  }

  /** Training calls whose feedback is being collected now. */
  public int openCalls() {
    return listener.openCalls();
  }

  /** Stops collecting. */
  public void closeFeedback(CallFeedback feedback) {
    listener.remove(feedback);
  }

  @Override
  public void close() {
    RUNNING.remove(context);
    SparkInternals.removeListener(context, listener);
    observer.ifPresent(Observer::close);
    speeds.write();
    LOG.info("Spark ATA: {}", counters);
  }
}
