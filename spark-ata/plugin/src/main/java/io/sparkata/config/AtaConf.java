package io.sparkata.config;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.allocation.Prior;
import io.sparkata.kernel.GpuSettings;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.spark.SparkConf;

/**
 * Spark ATA's configuration, read once when the SparkContext starts. Immutable.
 *
 * @param mode whether Spark ATA trains or only observes MLlib
 * @param report where the report of each training is logged
 * @param routes whose calls are routed to Spark ATA
 * @param policy id or class name of the allocation policy
 * @param isGreedyAcknowledged whether the policy greedy may change the model
 * @param settings the policy's numbers; the configured means are its priors, each of weight 1
 * @param passThrough when to leave a training to MLlib
 * @param onError what happens if Spark ATA itself fails
 * @param gpu whether executors compute on GPUs, and which get samples
 * @param blockBytes the most bytes of a packed block
 * @param execution how rounds are executed
 * @param speedsPath file of speeds that outlive the application; empty for none
 * @param roundLogPath folder of the round log; empty for none
 * @param cache what happens to cached partitions
 * @param hasUi whether Spark's UI has the tab
 * @param loader the application's class loader, which loads policies by class name; some threads
 *     that train do not have it
 */
public record AtaConf(
    Mode mode,
    ReportLevel report,
    Set<Route> routes,
    String policy,
    boolean isGreedyAcknowledged,
    PolicySettings settings,
    PassThrough passThrough,
    OnError onError,
    GpuUse gpu,
    long blockBytes,
    Execution execution,
    Optional<String> speedsPath,
    Optional<String> roundLogPath,
    CacheUse cache,
    boolean hasUi,
    ClassLoader loader) {
  private static final String GREEDY = "greedy";

  /**
   * Reads and checks every key.
   *
   * @throws IllegalArgumentException naming the key, what was found and what is allowed
   */
  public static AtaConf of(SparkConf conf) {
    PolicySettings settings =
        new PolicySettings(
            AtaKeys.SEED.in(conf),
            numberIn(conf, AtaKeys.WIDTH),
            numberIn(conf, AtaKeys.ALPHA),
            numberIn(conf, AtaKeys.ETA),
            AtaKeys.MEANS.optionalIn(conf).orElse(Map.of()));
    AtaConf read =
        new AtaConf(
            AtaKeys.MODE.in(conf),
            AtaKeys.REPORT.in(conf),
            AtaKeys.ROUTE.in(conf),
            AtaKeys.POLICY.in(conf),
            AtaKeys.GREEDY_ACKNOWLEDGED.in(conf),
            settings,
            AtaKeys.PASS_THROUGH.in(conf),
            AtaKeys.ON_ERROR.in(conf),
            AtaKeys.GPU.in(conf),
            AtaKeys.BLOCK_SIZE.in(conf),
            AtaKeys.EXECUTION.in(conf),
            AtaKeys.SPEEDS_PATH.optionalIn(conf),
            AtaKeys.ROUND_LOG_PATH.optionalIn(conf),
            AtaKeys.CACHE.in(conf),
            AtaKeys.UI.in(conf),
            currentLoader());
    if (isGreedy(read.policy)) {
      read.checkGreedy(conf.get("spark.master", ""));
    } else {
      read.newPolicy(read.policy, Map.of(), /* rowsPerUnit= */ 1);
    }
    gpuSettings(conf); // executors use them; invalid values are reported here
    return read;
  }

  /** The same for the sums of L-BFGS: no GPU computes them, and none of their rows is dropped. */
  public static AtaConf ofSums(SparkConf conf) {
    SparkConf sums = conf.clone().set(AtaKeys.GPU.key(), ConfEntry.textOf(GpuUse.OFF));
    return of(isGreedy(AtaKeys.POLICY.in(conf)) ? sums.remove(AtaKeys.POLICY.key()) : sums);
  }

  /**
   * Whether a training without gain is left to MLlib; not if a GPU is required, which MLlib would
   * not use.
   */
  public boolean passesThrough() {
    return passThrough == PassThrough.AUTO && gpu != GpuUse.REQUIRED;
  }

  /** Whether cached partitions move, for which an executor needs a thread. */
  public static boolean movesCache(SparkConf conf) {
    return toMoveCache(AtaKeys.CACHE.in(conf), AtaKeys.MODE.in(conf)).isEmpty();
  }

  /** The setting that would let cached partitions move; empty if they do. */
  public Optional<String> toMoveCache() {
    return toMoveCache(cache, mode);
  }

  private static Optional<String> toMoveCache(CacheUse cache, Mode mode) {
    if (cache != CacheUse.BALANCE) {
      return Optional.of("spark.ata.cache=balance");
    }
    return mode == Mode.OBSERVE ? Optional.of("spark.ata.mode=train") : Optional.empty();
  }

  /** Seed of random choices. */
  public long seed() {
    return settings.seed();
  }

  /** Whether a failure of Spark ATA ends a training; else MLlib continues it. */
  public boolean failsOnTrouble() {
    return onError == OnError.FAIL || gpu == GpuUse.REQUIRED;
  }

  /**
   * A fresh policy by id or class name, with the configured numbers.
   *
   * @param priors prior times of executors by id, in nanoseconds per unit; ignored by policies that
   *     need configured means
   * @param rowsPerUnit sampled rows in one unit of the policy, which converts alpha from rows to
   *     units
   * @throws IllegalArgumentException naming what was found and what is allowed
   */
  public AllocationPolicy newPolicy(
      String idOrClassName, Map<String, Prior> priors, double rowsPerUnit) {
    if (!AllocationPolicies.needsMeans(idOrClassName)) {
      PolicySettings perUnit = settings.withPriors(priors);
      if (settings.alpha().isPresent()) {
        perUnit = perUnit.withAlpha(settings.alpha().getAsDouble() * rowsPerUnit);
      }
      return AllocationPolicies.create(idOrClassName, perUnit, loaderOf(idOrClassName));
    }
    if (settings.priors().isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot use the policy '"
              + idOrClassName
              + "': it needs the time per sample of every executor. Set "
              + AtaKeys.MEANS.key()
              + " to "
              + AtaKeys.MEANS.rule());
    }
    return AllocationPolicies.create(idOrClassName, settings, loaderOf(idOrClassName));
  }

  /** This thread's loader if it has the class; else the loader of the start. */
  private ClassLoader loaderOf(String idOrClassName) {
    try {
      return Class.forName(String.valueOf(idOrClassName), /* initialize= */ false, currentLoader())
          .getClassLoader();
    } catch (ClassNotFoundException | LinkageError notThere) {
      return loader;
    }
  }

  private static ClassLoader currentLoader() {
    ClassLoader current = Thread.currentThread().getContextClassLoader();
    return current != null ? current : AtaConf.class.getClassLoader();
  }

  /**
   * Checks that the policy exists; does not check that its numbers are configured.
   *
   * @throws IllegalArgumentException naming what was found and what is allowed
   */
  public static void checkPolicy(String idOrClassName) {
    if (!isGreedy(idOrClassName)) {
      AllocationPolicies.create(idOrClassName, PolicySettings.defaults(), currentLoader());
    }
  }

  /** Whether work is pulled instead of allocated. */
  public static boolean isGreedy(String idOrClassName) {
    return GREEDY.equals(idOrClassName);
  }

  /**
   * Checks that the policy greedy may run.
   *
   * @param master of the application
   * @throws IllegalArgumentException saying why not and what to set
   */
  public void checkGreedy(String master) {
    if (!isGreedyAcknowledged) {
      throw cannotBeGreedy(
          "it drops the work of slow executors and sums other rows than MLlib's sample, so the"
              + " model is not Spark's. Set "
              + AtaKeys.GREEDY_ACKNOWLEDGED.key()
              + "=true to accept that, or another "
              + AtaKeys.POLICY.key());
    }
    if (execution == Execution.STAGE) {
      throw cannotBeGreedy(
          "its executors ask for work by message, and "
              + AtaKeys.EXECUTION.key()
              + "=stage. Set "
              + AtaKeys.EXECUTION.key()
              + "=resident");
    }
    if (master.equals("local") || master.startsWith("local[")) {
      throw cannotBeGreedy(
          "it needs executors, and the master is " + master + ". Set spark.master=<a cluster>");
    }
  }

  private static IllegalArgumentException cannotBeGreedy(String reason) {
    return new IllegalArgumentException("Cannot use the policy '" + GREEDY + "': " + reason);
  }

  /** How executors use GPUs; read on each of them. */
  public static GpuSettings gpuSettings(SparkConf conf) {
    return new GpuSettings(
        AtaKeys.GPU_PRECISION.in(conf) == GpuPrecision.SINGLE,
        AtaKeys.GPU_MEMORY_FRACTION.in(conf));
  }

  private static OptionalDouble numberIn(SparkConf conf, ConfEntry<Double> entry) {
    return entry.optionalIn(conf).map(OptionalDouble::of).orElse(OptionalDouble.empty());
  }
}
