package io.sparkata.cluster;

import io.sparkata.config.AtaConf;
import io.sparkata.config.AtaKeys;
import io.sparkata.config.CacheUse;
import io.sparkata.config.GpuUse;
import io.sparkata.config.Mode;
import io.sparkata.config.OnError;
import io.sparkata.memory.Speeds;
import io.sparkata.memory.SpeedsFile;
import io.sparkata.observation.Observer;
import io.sparkata.report.JobTimes;
import io.sparkata.report.Reporter;
import io.sparkata.spark.LocalSettings;
import io.sparkata.spark.SparkListeners;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Spark ATA in one SparkContext, from the plugin's start to its shutdown. Driver only. */
public final class AtaRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AtaRuntime.class);
  private static final Map<SparkContext, AtaRuntime> RUNNING = new ConcurrentHashMap<>();

  private final SparkContext context;
  private final AtaConf conf;
  private final Speeds speeds;
  private final Counters counters = new Counters();
  private final Counters evaluations = new Counters();
  private final AtomicLong trainings = new AtomicLong();
  private final FeedbackListener listener = new FeedbackListener();
  private final JobTimes jobs = new JobTimes();
  private final CapabilityReports capabilities = new CapabilityReports();
  private final SilentExecutors silent;
  private final SecondAttempts secondAttempts;
  private final AtomicLong noCrewsUntil = new AtomicLong(System.nanoTime());
  private final Cluster cluster;
  private final Cluster withoutGpus;
  private final Reporter reporter;
  private final Heartbeats heartbeats;
  private final Optional<Observer> observer;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  private AtaRuntime(SparkContext context, AtaConf conf) {
    this.context = context;
    this.conf = conf;
    this.speeds =
        new Speeds(
            conf.speedsPath().map(path -> new SpeedsFile(path, context::hadoopConfiguration)),
            /* failsOnError= */ conf.onError() == OnError.FAIL,
            Clock.systemUTC());
    this.silent = new SilentExecutors(context);
    this.cluster = new LiveExecutors(context, conf.gpu(), listener, capabilities);
    this.withoutGpus = new LiveExecutors(context, GpuUse.OFF, listener, capabilities);
    this.secondAttempts =
        new SecondAttempts(context, withoutGpus, /* mayCache= */ conf.cache() == CacheUse.BALANCE);
    this.reporter =
        new Reporter(
            conf.report(),
            System::nanoTime,
            event -> {
              if (conf.hasUi()) {
                SparkListeners.post(context, event);
              }
            },
            Optional.of(System.err).filter(console -> showsProgress(context)));
    this.heartbeats = new Heartbeats(reporter);
    this.observer =
        conf.mode() == Mode.OBSERVE
            ? Optional.of(new Observer(context, this::slots, reporter))
            : Optional.empty();
  }

  private static boolean showsProgress(SparkContext context) {
    return context.getConf().getBoolean("spark.ui.showConsoleProgress", false);
  }

  /** Starts listening; until {@link #close}, {@link #of} finds the runtime. */
  public static AtaRuntime start(SparkContext context, AtaConf conf) {
    RUNNING.keySet().removeIf(SparkContext::isStopped); // its start failed after ours
    AtaRuntime runtime = new AtaRuntime(context, conf);
    SparkListeners.addListener(context, runtime.listener, "ata");
    SparkListeners.addListener(context, runtime.silent, "ata");
    SparkListeners.addListener(context, runtime.capabilities, "ata");
    SparkListeners.addListener(context, runtime.jobs, "ata");
    SparkListeners.addListener(context, runtime.heartbeats, "ata");
    if (runtime.observer.isEmpty() && SecondAttempts.isAllowed(context)) {
      SparkListeners.addListener(context, runtime.secondAttempts, "ata");
    }
    RUNNING.put(context, runtime);
    return runtime;
  }

  /** The runtime of a context; empty if the plugin is not on. */
  public static Optional<AtaRuntime> of(SparkContext context) {
    return Optional.ofNullable(RUNNING.get(context));
  }

  /** Whether this thread or its session has set spark.ata.enabled=false. */
  public boolean isOffHere() {
    String key = AtaKeys.ENABLED.key();
    return LocalSettings.get(context, key, /* other= */ "true").equals("false");
  }

  public AtaConf conf() {
    return conf;
  }

  public Cluster cluster() {
    return cluster;
  }

  /** The same executors for sums that no GPU computes. */
  public Cluster clusterWithoutGpus() {
    return withoutGpus;
  }

  /** The executors that give no sign of life. */
  public SilentExecutors silent() {
    return silent;
  }

  /** Until when the rounds of all trainings run as jobs because other jobs want slots: nanoTime. */
  public AtomicLong noCrewsUntil() {
    return noCrewsUntil;
  }

  /** Observes MLlib's trainings; empty unless spark.ata.mode=observe. */
  public Optional<Observer> observer() {
    return observer;
  }

  /** Reports each training. */
  public Reporter reporter() {
    return reporter;
  }

  /** Logs once per application what the executors compute with. */
  public void logExecutors() {
    capabilities.logOnce(cluster::live);
  }

  /** The remembered speeds of executors and hosts. */
  public Speeds speeds() {
    return speeds;
  }

  /** Of trainings by gradient descent. */
  public Counters counters() {
    return counters;
  }

  /** Of sums that L-BFGS asks for: a call is a persisted RDD, a routed one an evaluation. */
  public Counters evaluations() {
    return evaluations;
  }

  /** The number of the next training within the application, from 1. */
  public long nextTraining() {
    return trainings.incrementAndGet();
  }

  /** What the executors have reported. */
  public CapabilityReports capabilities() {
    return capabilities;
  }

  /** Why a live executor cannot take part; empty if all can. */
  public Optional<String> misfit() {
    return capabilities.misfit(cluster::live);
  }

  private Map<String, Integer> slots() {
    return cluster.live().stream().collect(Collectors.toMap(Executor::id, Executor::slots));
  }

  /** Whether this is the first call with this key, so that a reason is logged once. */
  public boolean isNews(String key) {
    return logged.add(key);
  }

  /**
   * Starts collecting the feedback of one training.
   *
   * @param nanosId id of the training's accumulator of kernel nanoseconds
   * @param rowsId id of its accumulator of sampled rows
   * @param fetchId id of its accumulator of nanoseconds for fetching blocks
   */
  public CallFeedback openFeedback(long nanosId, long rowsId, long fetchId) {
    CallFeedback feedback = new CallFeedback(nanosId, rowsId, fetchId, counters);
    listener.add(feedback);
    return feedback;
  }

  /** The number of trainings whose feedback is collected now. */
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
    if (reporter.totals().trainings() > 0) { // the last job's end may be on its way
      SparkListeners.awaitListeners(context, /* millis= */ 1000);
    }
    SparkListeners.removeListener(context, jobs);
    SparkListeners.removeListener(context, heartbeats);
    SparkListeners.removeListener(context, listener);
    SparkListeners.removeListener(context, silent);
    SparkListeners.removeListener(context, capabilities);
    SparkListeners.removeListener(context, secondAttempts);
    secondAttempts.close();
    observer.ifPresent(Observer::close);
    if (observer.isEmpty()) { // which has said it
      reporter.end(jobs.ourShare());
    }
    speeds.write();
    LOG.info("Spark ATA: {}", counters);
    LOG.info("Spark ATA lbfgs: {}", evaluations);
  }
}
