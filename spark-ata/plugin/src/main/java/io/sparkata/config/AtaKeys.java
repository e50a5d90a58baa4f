package io.sparkata.config;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.Prior;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.network.util.JavaUtils;

/** Every {@code spark.ata.*} key; docs/configuration.md is generated from them. */
public final class AtaKeys {
  private AtaKeys() {}

  public static final ConfEntry<Boolean> ENABLED =
      ConfEntry.bool(
          "enabled",
          /* defaultValue= */ false,
          "The one flag: with false, Spark and MLlib are untouched. In an application that has it,"
              + " false as a setting of a session, by spark.conf.set, or as a local property of a"
              + " thread leaves the trainings there to Spark.");

  static final ConfEntry<Mode> MODE =
      ConfEntry.choice(
          "mode",
          Mode.class,
          Mode.TRAIN,
          "train allocates. observe leaves every training to Spark untouched, learns executors'"
              + " speeds from its tasks, and reports at the end what allocation would have saved.");

  public static final ConfEntry<Set<Route>> ROUTE =
      ConfEntry.choices(
          "route",
          Route.class,
          "What Spark ATA runs for callers that do not name it. gradientDescent: the trainings of all"
              + " callers of MLlib's GradientDescent. lbfgs: the sums of L-BFGS and OWL-QN, which"
              + " most linear models of spark.ml train by. none: Spark ATA rewrites no bytecode and"
              + " runs only the trainings of AtaGradientDescent.");

  static final ConfEntry<String> POLICY =
      new ConfEntry<>(
          "spark.ata.policy",
          "adaptive",
          "one of " + String.join(", ", AllocationPolicies.ids()) + ", or a class name",
          "How samples are shared out among executors. A class must implement"
              + " io.sparkata.allocation.AllocationPolicy. greedy is no allocation: see"
              + " spark.ata.greedy.acknowledged.",
          text -> text);

  static final ConfEntry<Boolean> GREEDY_ACKNOWLEDGED =
      ConfEntry.bool(
          "greedy.acknowledged",
          /* defaultValue= */ false,
          "Permits the policy greedy, for comparisons: executors pull units of random rows that they"
              + " hold until the round has as many rows as expected; later work is dropped. The"
              + " model is then not Spark's, because fast executors' rows count more often. It needs a"
              + " cluster, and messages: not spark.ata.execution=stage. L-BFGS uses adaptive.");

  static final ConfEntry<Long> SEED =
      new ConfEntry<>(
          "spark.ata.policy.seed",
          "42",
          "a whole number",
          "Seed of the policy's random choices. The trained weights do not depend on it, except"
              + " under greedy.",
          Long::valueOf);

  static final ConfEntry<Double> WIDTH =
      ConfEntry.positive(
          "policy.width",
          "Width constant of the policy's confidence bound; unset, the policy's own (adaptive:"
              + " 0.1, ata and ata-empirical: 4e). Greater explores more.");

  static final ConfEntry<Double> ALPHA =
      ConfEntry.positive(
          "policy.alpha",
          "For the policy ata: the bound alpha on the psi-1 norm of every executor's time, in"
              + " nanoseconds per sampled row, divided by the executor's slots. Unset: twice the"
              + " largest mean measured.");

  static final ConfEntry<Double> ETA =
      ConfEntry.positive(
          "policy.eta",
          "For the policy ata-empirical: the bound eta on psi-1 norm over mean of an executor's"
              + " time. Unset: 2, which exponential times have.");

  static final ConfEntry<Map<String, Prior>> MEANS =
      new ConfEntry<>(
          "spark.ata.policy.means",
          "",
          "executor=number pairs with commas between them, every executor once, every number"
              + " greater than 0, such as 0=1,1=2.5",
          "For the policies optimal-fixed and static, which learn nothing and need it: the time per"
              + " sample of every executor by its id, in any one unit. Other policies ignore it.",
          AtaKeys::parseMeans);

  static final ConfEntry<PassThrough> PASS_THROUGH =
      ConfEntry.choice(
          "passThrough",
          PassThrough.class,
          PassThrough.AUTO,
          "auto leaves a training to Spark, and reports why, if allocation has nothing to gain: in"
              + " local mode, with one executor, with fewer than 32 sampled rows per executor and"
              + " round, or, for L-BFGS, with fewer than 2 elements per executor. never allocates"
              + " these too, as tests and comparisons need. Both leave to Spark a fraction outside"
              + " (0, 1], data for L-BFGS that are not persisted, and data without partitions, with"
              + " a resource profile of their own, or too large for free storage memory.");

  static final ConfEntry<OnError> ON_ERROR =
      ConfEntry.choice(
          "onError",
          OnError.class,
          OnError.FALLBACK,
          "What happens if Spark ATA itself fails, its jar does not fit, or a key has an illegal"
              + " value. fallback: one WARN, then Spark's own path continues, in a training from"
              + " the failed round on. fail: an exception.");

  public static final ConfEntry<GpuUse> GPU =
      ConfEntry.choice(
          "gpu",
          GpuUse.class,
          GpuUse.AUTO,
          "Whether tasks compute on the GPU whose address Spark assigned to them. auto: on usable"
              + " GPUs and, in the same round, on the CPUs of the other executors. required: only"
              + " executors with a usable GPU get samples; if none has one for"
              + " spark.scheduler.maxRegisteredResourcesWaitingTime, the training fails with the"
              + " causes. MLlib's own path is then never taken: trainings without gain are"
              + " allocated, and a failure that would leave a training to MLlib ends it, whatever"
              + " spark.ata.onError says. off: on CPUs only. L-BFGS always runs on CPUs.");

  static final ConfEntry<GpuPrecision> GPU_PRECISION =
      ConfEntry.choice(
          "gpu.precision",
          GpuPrecision.class,
          GpuPrecision.DOUBLE,
          "The precision in which GPUs hold rows and multiply them; CPUs always use double. With"
              + " single, twice as many rows fit, and sums differ from MLlib's by about 1e-6 of"
              + " their terms.");

  static final ConfEntry<Double> GPU_MEMORY_FRACTION =
      new ConfEntry<>(
          "spark.ata.gpu.memoryFraction",
          "0.8",
          "a number greater than 0 and at most 1",
          "The share of a GPU's memory, as free when the executor starts, that may hold packed"
              + " blocks. The CPU computes blocks that do not fit.",
          AtaKeys::parseFraction);

  static final ConfEntry<Long> BLOCK_SIZE =
      new ConfEntry<>(
          "spark.ata.blockSize",
          "4m",
          "a size from 4k to 512m, such as 4m",
          "The largest size of a packed block, unless one row takes more. Executors fetch whole"
              + " blocks: smaller ones move less data, larger ones cost the driver"
              + " less.",
          AtaKeys::parseBlockSize);

  static final ConfEntry<Execution> EXECUTION =
      ConfEntry.choice(
          "execution",
          Execution.class,
          Execution.AUTO,
          "How rounds are executed. stage: each is a Spark job. resident: tasks stay on the"
              + " executors and get rounds by message, so that a round costs messages instead of a"
              + " job. They leave when tasks of other jobs wait for slots, when no round comes for a"
              + " second, and at the end. Where messages fail, rounds run as jobs. auto: as jobs"
              + " first, resident when jobs cost more than 5 % of the rounds' time; in local mode as"
              + " jobs. With large models, and with a gradient that has an accumulator, rounds are"
              + " always jobs.");

  static final ConfEntry<String> SPEEDS_PATH =
      new ConfEntry<>(
          "spark.ata.speeds.path",
          "",
          "a file on any Hadoop file system",
          "File that keeps the speeds of hosts for later applications. Read at the first training;"
              + " written when trainings end, at most once a minute, and when the application ends."
              + " Unset: speeds are forgotten with the application.",
          text -> text);

  static final ConfEntry<String> ROUND_LOG_PATH =
      new ConfEntry<>(
          "spark.ata.roundLog.path",
          "",
          "a folder on any Hadoop file system",
          "Folder of the round log: one file per training, one JSON object per round. Unset: none.",
          text -> text);

  static final ConfEntry<ReportLevel> REPORT =
      ConfEntry.choice(
          "report",
          ReportLevel.class,
          ReportLevel.WARN,
          "Where the report of each training is logged, at most two lines. warn: at WARN, which"
              + " shells and notebooks show; a caller that trains again and again, such as a"
              + " stream, gets its first ten trainings and then one a minute at WARN, the others at"
              + " INFO, and each reason to leave its trainings to MLlib once at WARN. log: all at"
              + " INFO. off: no report.");

  public static final ConfEntry<CacheUse> CACHE =
      ConfEntry.choice(
          "cache",
          CacheUse.class,
          CacheUse.BALANCE,
          "balance: cached partitions that stages read again and again move to the executors that"
              + " compute faster, so that the tasks of a stage end together. They move in the"
              + " background, into free storage memory only. Served are partitions of RDDs and"
              + " DataFrames that are on the heap in one copy, as objects or serialized, if their"
              + " elements can be serialized. observe: partitions stay where Spark computed them,"
              + " and if moves would have saved a second or more, a line at the end says so; with"
              + " spark.ata.mode=observe balance does the same. off: nothing.");

  static final ConfEntry<Boolean> UI =
      ConfEntry.bool(
          "ui.enabled",
          /* defaultValue= */ true,
          "Whether Spark's UI has the tab ATA, and the event log what its history needs. With false"
              + " there is neither a tab nor an event.");

  /** Every entry, in the order of the documentation. */
  public static List<ConfEntry<?>> entries() {
    return List.of(
        ENABLED,
        MODE,
        REPORT,
        ROUTE,
        POLICY,
        GREEDY_ACKNOWLEDGED,
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
        EXECUTION,
        SPEEDS_PATH,
        ROUND_LOG_PATH,
        CACHE,
        UI);
  }

  private static double parseFraction(String text) {
    double value = ConfEntry.parsePositive(text);
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
      Prior mean = new Prior(ConfEntry.parsePositive(pair.substring(equals + 1)), /* units= */ 1);
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
