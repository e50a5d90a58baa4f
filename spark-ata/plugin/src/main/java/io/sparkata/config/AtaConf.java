package io.sparkata.config;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.allocation.Prior;
import io.sparkata.kernel.GpuSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.spark.SparkConf;
import org.apache.spark.network.util.JavaUtils;

/**
 * Spark ATA's configuration, read once when the SparkContext starts. Immutable.
 *
 * @param mode whether to train or only to watch MLlib train
 * @param routesMllib whether MLlib's own callers are routed here
 * @param policy id or class name of the allocation policy
 * @param settings the policy's numbers; as priors the given means, each of weight 1
 * @param passThrough when to leave a training to MLlib
 * @param onError what to do on trouble of our own
 * @param gpu whether to compute on GPUs, and who gets samples
 * @param blockBytes what a packed block may take
 * @param speedsPath file of speeds that outlive the application; empty for none
 * @param roundLogPath folder of the round log; empty for none
 * @param loader the application's class loader, for policies by class name: trainings also run on
 *     threads that do not have it
 */
public record AtaConf(
    Mode mode,
    boolean routesMllib,
    String policy,
    PolicySettings settings,
    PassThrough passThrough,
    OnError onError,
    GpuUse gpu,
    long blockBytes,
    Optional<String> speedsPath,
    Optional<String> roundLogPath,
    ClassLoader loader) {

  public static final ConfEntry<Boolean> ENABLED =
      ConfEntry.bool(
          "enabled",
          /* defaultValue= */ false,
          "The one flag: with false, Spark and MLlib are untouched.");

  static final ConfEntry<Mode> MODE =
      ConfEntry.choice(
          "mode",
          Mode.class,
          Mode.TRAIN,
          "train allocates. observe leaves every training to MLlib untouched, learns executors'"
              + " speeds from its tasks, and reports at the end what allocation would have saved.");

  public static final ConfEntry<Boolean> ROUTE =
      ConfEntry.bool(
          "mllib.route",
          /* defaultValue= */ true,
          "Whether calls of MLlib's own GradientDescent, by whomever, come to Spark ATA. With false"
              + " only those of AtaGradientDescent do, and no byte code is changed.");

  static final ConfEntry<String> POLICY =
      new ConfEntry<>(
          "spark.ata.policy",
          "adaptive",
          "one of " + String.join(", ", AllocationPolicies.ids()) + ", or a class name",
          "How samples are shared out among executors. A class must implement"
              + " io.sparkata.allocation.AllocationPolicy.",
          text -> text);

  static final ConfEntry<Long> SEED =
      new ConfEntry<>(
          "spark.ata.policy.seed",
          "42",
          "a whole number",
          "Seed of the policy's random choices. The trained weights do not depend on it.",
          Long::valueOf);

  static final ConfEntry<Double> WIDTH =
      new ConfEntry<>(
          "spark.ata.policy.width",
          "",
          "a number greater than 0",
          "Width constant of the policy's confidence bound; unset, the policy's own (adaptive:"
              + " 0.1, ata and ata-empirical: 4e). Greater explores more.",
          AtaConf::parsePositive);

  static final ConfEntry<Double> ALPHA =
      new ConfEntry<>(
          "spark.ata.policy.alpha",
          "",
          "a number greater than 0",
          "For the policy ata: the bound alpha on the psi-1 norm of every executor's time, in"
              + " nanoseconds per sampled row, divided by the executor's slots. Unset: twice the"
              + " largest mean measured.",
          AtaConf::parsePositive);

  static final ConfEntry<Double> ETA =
      new ConfEntry<>(
          "spark.ata.policy.eta",
          "",
          "a number greater than 0",
          "For the policy ata-empirical: the bound eta on psi-1 norm over mean of an executor's"
              + " time. Unset: 2, which exponential times have.",
          AtaConf::parsePositive);

  static final ConfEntry<Map<String, Prior>> MEANS =
      new ConfEntry<>(
          "spark.ata.policy.means",
          "",
          "executor=number pairs with commas between them, every executor once, every number"
              + " greater than 0, such as 0=1,1=2.5",
          "For the policies optimal-fixed and static, which learn nothing and need it: the time per"
              + " sample of every executor by its id, in any one unit. Other policies ignore it.",
          AtaConf::parseMeans);

  static final ConfEntry<PassThrough> PASS_THROUGH =
      ConfEntry.choice(
          "passThrough",
          PassThrough.class,
          PassThrough.AUTO,
          "auto leaves a training to MLlib, and logs why, where allocation has nothing to gain: in"
              + " local mode, with one executor, or with less than 32 sampled rows per executor"
              + " and round. never trains these all the same, as tests and comparisons want."
              + " Neither serves a fraction that is not in (0, 1], or data without partitions, with"
              + " a resource profile of their own, or without room to be packed: these are MLlib's.");

  static final ConfEntry<OnError> ON_ERROR =
      ConfEntry.choice(
          "onError",
          OnError.class,
          OnError.FALLBACK,
          "On trouble of Spark ATA's own: fallback logs one WARN and goes on with MLlib's own"
              + " expression from the failed round on; fail throws.");

  public static final ConfEntry<GpuUse> GPU =
      ConfEntry.choice(
          "gpu",
          GpuUse.class,
          GpuUse.AUTO,
          "Whether tasks compute on the GPU whose address Spark assigned to them. auto: where it can"
              + " be used, on the CPU elsewhere, all in one round. required: only executors with a"
              + " usable GPU get samples; where there is none for as long as"
              + " spark.scheduler.maxRegisteredResourcesWaitingTime, the training fails with the"
              + " causes. MLlib's own path is then never taken: nothing is passed through for want of"
              + " gain, and trouble that would leave the training to MLlib fails it, whatever"
              + " spark.ata.onError says. off: the CPU everywhere.");

  static final ConfEntry<GpuPrecision> GPU_PRECISION =
      ConfEntry.choice(
          "gpu.precision",
          GpuPrecision.class,
          GpuPrecision.DOUBLE,
          "In what precision GPUs hold rows and multiply them; the CPU's is always double. With"
              + " single, twice as many rows fit, and sums differ from MLlib's by about 1e-6 of"
              + " their terms.");

  static final ConfEntry<Double> GPU_MEMORY_FRACTION =
      new ConfEntry<>(
          "spark.ata.gpu.memoryFraction",
          "0.8",
          "a number greater than 0 and at most 1",
          "Of a GPU's memory that is free when an executor starts, how much may hold packed blocks."
              + " Blocks for which there is no room are computed on the CPU.",
          AtaConf::parseFraction);

  static final ConfEntry<Long> BLOCK_SIZE =
      new ConfEntry<>(
          "spark.ata.blockSize",
          "4m",
          "a size from 4k to 512m, such as 4m",
          "The most that a packed block takes, the unit in which data move between executors, unless"
              + " one row takes more. Smaller blocks move less data, larger ones cost the driver"
              + " less.",
          AtaConf::parseBlockSize);

  static final ConfEntry<String> SPEEDS_PATH =
      new ConfEntry<>(
          "spark.ata.speeds.path",
          "",
          "a file on any Hadoop file system",
          "File in which the speeds of hosts outlive the application, read at the first training"
              + " and written when trainings end, at most once a minute, and at the end. Unset:"
              + " speeds are forgotten with the application.",
          text -> text);

  static final ConfEntry<String> ROUND_LOG_PATH =
      new ConfEntry<>(
          "spark.ata.roundLog.path",
          "",
          "a folder on any Hadoop file system",
          "Folder of the round log: one file per training, one JSON object per round. Unset: none.",
          text -> text);

  /** Every entry, in the order of the documentation. */
  public static List<ConfEntry<?>> entries() {
    return List.of(
        ENABLED,
        MODE,
        ROUTE,
        POLICY,
        SEED,
        WIDTH,
        ALPHA,
        ETA,
        MEANS,
        PASS_THROUGH,
        ON_ERROR,
        GPU,
        GPU_PRECISION,
        GPU_MEMORY_FRACTION,
        BLOCK_SIZE,
        SPEEDS_PATH,
        ROUND_LOG_PATH);
  }

  /**
   * Reads and checks every key.
   *
   * @throws IllegalArgumentException naming the key, what was found and what is allowed
   */
  public static AtaConf of(SparkConf conf) {
    PolicySettings settings =
        new PolicySettings(
            SEED.in(conf),
            numberIn(conf, WIDTH),
            numberIn(conf, ALPHA),
            numberIn(conf, ETA),
            MEANS.optionalIn(conf).orElse(Map.of()));
    AtaConf read =
        new AtaConf(
            MODE.in(conf),
            ROUTE.in(conf),
            POLICY.in(conf),
            settings,
            PASS_THROUGH.in(conf),
            ON_ERROR.in(conf),
            GPU.in(conf),
            BLOCK_SIZE.in(conf),
            SPEEDS_PATH.optionalIn(conf),
            ROUND_LOG_PATH.optionalIn(conf),
            currentLoader());
    read.newPolicy(read.policy, Map.of());
    gpuSettings(conf); // for executors; what is wrong with it is said here
    return read;
  }

  /** Whether a training without gain is left to MLlib, which knows nothing of GPUs. */
  public boolean passesThrough() {
    return passThrough == PassThrough.AUTO && gpu != GpuUse.REQUIRED;
  }

  /** Whether trouble of our own ends a training, instead of MLlib's path taking over. */
  public boolean failsOnTrouble() {
    return onError == OnError.FAIL || gpu == GpuUse.REQUIRED;
  }

  /**
   * A fresh policy by id or class name, with the configured numbers.
   *
   * @param priors what is believed of executors, by id; not for policies that take given means
   * @throws IllegalArgumentException naming what was found and what is allowed
   */
  public AllocationPolicy newPolicy(String idOrClassName, Map<String, Prior> priors) {
    if (!AllocationPolicies.needsMeans(idOrClassName)) {
      return AllocationPolicies.create(
          idOrClassName, settings.withPriors(priors), loaderOf(idOrClassName));
    }
    if (settings.priors().isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot use the policy '"
              + idOrClassName
              + "': it needs the time per sample of every executor. Set "
              + MEANS.key()
              + " to "
              + MEANS.rule());
    }
    return AllocationPolicies.create(idOrClassName, settings, loaderOf(idOrClassName));
  }

  /** This thread's, unless only that of the start has the class. */
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
   * Checks that there is such a policy, not that its numbers are configured.
   *
   * @throws IllegalArgumentException naming what was found and what is allowed
   */
  public static void checkPolicy(String idOrClassName) {
    AllocationPolicies.create(idOrClassName, PolicySettings.defaults(), currentLoader());
  }

  /** How executors use GPUs; read on each of them. */
  public static GpuSettings gpuSettings(SparkConf conf) {
    return new GpuSettings(
        GPU_PRECISION.in(conf) == GpuPrecision.SINGLE, GPU_MEMORY_FRACTION.in(conf));
  }

  private static OptionalDouble numberIn(SparkConf conf, ConfEntry<Double> entry) {
    return entry.optionalIn(conf).map(OptionalDouble::of).orElse(OptionalDouble.empty());
  }

  private static double parsePositive(String text) {
    double value = Double.parseDouble(text);
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(text);
    }
    return value;
  }

  private static double parseFraction(String text) {
    double value = parsePositive(text);
    if (value > 1) {
      throw new IllegalArgumentException(text);
    }
    return value;
  }

  private static Map<String, Prior> parseMeans(String text) {
    Map<String, Prior> means = new HashMap<>();
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      String executor = pair.substring(0, Math.max(0, equals)).trim();
      Prior mean = new Prior(parsePositive(pair.substring(equals + 1)), /* units= */ 1);
      if (executor.isEmpty() || means.put(executor, mean) != null) {
        throw new IllegalArgumentException(pair);
      }
    }
    return means;
  }

  private static long parseBlockSize(String text) {
    long bytes = JavaUtils.byteStringAsBytes(text);
    if (bytes < 4L << 10 || bytes > 512L << 20) {
      throw new IllegalArgumentException(text);
    }
    return bytes;
  }
}
