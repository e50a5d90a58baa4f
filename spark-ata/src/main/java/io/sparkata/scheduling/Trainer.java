package io.sparkata.scheduling;

import io.sparkata.config.AtaConf;
import io.sparkata.config.PassThrough;
import io.sparkata.plugin.AtaRuntime;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/** Runs one training: through Spark ATA, or by MLlib itself where that is right. */
public final class Trainer {
  private static final Logger LOG = LoggerFactory.getLogger(Trainer.class);

  /** Contexts without a runtime that have been told so. */
  private static final Set<SparkContext> TOLD =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private Trainer() {}

  /**
   * The result of {@code GradientDescent.runMiniBatchSGD} with the same arguments, up to rounding.
   *
   * @param policy id or class name of the policy; empty for the configured one
   */
  public static Tuple2<Vector, double[]> run(Training training, Optional<String> policy) {
    SparkContext context = training.data().context();
    Optional<AtaRuntime> runtime = AtaRuntime.of(context);
    if (runtime.isEmpty()) {
      explainAbsence(context);
      return byMllib(training);
    }
    long call = runtime.get().counters().calls.incrementAndGet();
    Optional<String> reason = reasonToPassThrough(training, runtime.get());
    if (reason.isPresent()) {
      runtime.get().passedThrough(reason.get());
      return byMllib(training);
    }
    return allocated(training, runtime.get(), policy.orElse(runtime.get().conf().policy()), call);
  }

  private static Tuple2<Vector, double[]> allocated(
      Training training, AtaRuntime runtime, String policy, long call) {
    SparkContext context = training.data().context();
    AtaConf conf = runtime.conf();
    try (RoundLog log =
            conf.roundLogPath().isEmpty()
                ? RoundLog.none(call, policy)
                : RoundLog.in(
                    conf.roundLogPath().get(),
                    context.applicationId(),
                    call,
                    policy,
                    context.hadoopConfiguration());
        GuardedBatches batches =
            new GuardedBatches(
                training,
                runtime,
                () -> new AtaScheduler(training, runtime, conf.newPolicy(policy), log))) {
      return new GradientDescentLoop(training, batches).run();
    }
  }

  private static Optional<String> reasonToPassThrough(Training training, AtaRuntime runtime) {
    double fraction = training.fraction();
    if (!(fraction > 0 && fraction <= 1)) {
      return Optional.of("a fraction of " + fraction + " is not in (0, 1]");
    }
    if (training.data().getResourceProfile() != null) {
      return Optional.of("the data ask for a resource profile of their own");
    }
    if (training.data().getNumPartitions() == 0) {
      return Optional.of("the data have no partitions");
    }
    if (training.data().context().isLocal() && runtime.conf().passThrough() == PassThrough.AUTO) {
      return Optional.of("the master is local: there is one executor only");
    }
    return Optional.empty();
  }

  private static void explainAbsence(SparkContext context) {
    if (!TOLD.add(context)) {
      return;
    }
    if (context.getConf().contains(AtaConf.ENABLED.key())
        && !AtaConf.ENABLED.in(context.getConf())) {
      LOG.info("Spark ATA is off (spark.ata.enabled=false): MLlib trains");
    } else {
      LOG.warn(
          "Spark ATA is not running in this application, so MLlib trains. Set"
              + " spark.plugins=io.sparkata.AtaPlugin and spark.ata.enabled=true");
    }
  }

  private static Tuple2<Vector, double[]> byMllib(Training training) {
    return GradientDescent.runMiniBatchSGD(
        training.data(),
        training.gradient(),
        training.updater(),
        training.stepSize(),
        training.iterations(),
        training.regParam(),
        training.fraction(),
        training.initialWeights(),
        training.convergenceTol());
  }
}
