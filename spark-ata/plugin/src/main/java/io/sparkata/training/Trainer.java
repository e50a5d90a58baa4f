package io.sparkata.training;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.config.AtaKeys;
import io.sparkata.gate.Trouble;
import io.sparkata.report.TrainingReport;
import io.sparkata.rounds.RoundLog;
import io.sparkata.routing.Departures;
import io.sparkata.routing.Eligibility;
import io.sparkata.routing.EligibilityRules;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/** Runs one training by Spark ATA or, if it is not eligible, by MLlib. */
public final class Trainer {
  private static final Logger LOG = LoggerFactory.getLogger(Trainer.class);

  /** Contexts without a runtime for which that was logged. */
  private static final Set<SparkContext> ABSENCE_LOGGED =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Whether this thread is inside {@link #byMllib}: then the route leaves calls alone. */
  private static final ThreadLocal<Boolean> IS_MLLIBS_TURN = ThreadLocal.withInitial(() -> false);

  private Trainer() {}

  /**
   * The result of {@code GradientDescent.runMiniBatchSGD} with the same arguments, up to rounding.
   *
   * @param policy id or class name of the policy; empty for the configured one
   */
  public static Tuple2<Vector, double[]> run(Training training, Optional<String> policy) {
    if (!training.isComplete()) {
      return byMllib(training); // MLlib's exception is the right one
    }
    SparkContext context = training.data().context();
    Optional<AtaRuntime> runtime = AtaRuntime.of(context);
    if (runtime.isEmpty()) {
      explainAbsence(context);
      return byMllib(training);
    }
    if (runtime.get().isOffHere()) {
      return byMllib(training);
    }
    return train(training, runtime.get(), policy).orElseGet(() -> byMllib(training));
  }

  /**
   * The same for a routed call of MLlib's own method.
   *
   * @param mllib the object of the call, MLlib's only one
   * @param arguments the nine arguments of {@code runMiniBatchSGD}
   * @return weights and losses; null if MLlib's own body has to run
   */
  public static Object runRouted(Object mllib, Object[] arguments) {
    if (IS_MLLIBS_TURN.get()) {
      return null;
    }
    Training training = Training.of(arguments);
    if (!training.isComplete()) {
      return null; // MLlib's own exception is the right one
    }
    Optional<AtaRuntime> runtime;
    try {
      runtime = AtaRuntime.of(training.data().context());
    } catch (Exception noContext) {
      return null; // an RDD from another application: MLlib's own exception again
    }
    if (runtime.isEmpty() || runtime.get().isOffHere()) {
      return null;
    }
    runtime.get().counters().routed.incrementAndGet();
    return train(training, runtime.get(), Optional.empty()).orElse(null);
  }

  /** Empty if MLlib has to train. */
  private static Optional<Tuple2<Vector, double[]>> train(
      Training training, AtaRuntime runtime, Optional<String> policy) {
    runtime.counters().calls.incrementAndGet();
    TrainingReport report =
        runtime
            .reporter()
            .begin(runtime.nextTraining(), RoundLog.GRADIENT_DESCENT, training.data());
    if (runtime.observer().isPresent()) {
      int dataId = training.data().id();
      Tuple2<Vector, double[]> trained =
          runtime.observer().get().watch(report, dataId, () -> byMllib(training));
      runtime.logExecutors();
      return Optional.of(trained);
    }
    training
        .data()
        .getNumPartitions(); // if the input is missing, this throws the caller's exception
    TrainingCall call =
        new TrainingCall(training, runtime, policy.orElse(runtime.conf().policy()), report);
    return isLeft(call) ? Optional.empty() : Optional.of(allocated(call));
  }

  /** Whether MLlib trains, also because the check failed. */
  private static boolean isLeft(TrainingCall call) {
    AtaRuntime runtime = call.runtime();
    EligibilityRules rules = new EligibilityRules(runtime.conf());
    Eligibility eligibility;
    try {
      eligibility =
          runtime
              .misfit()
              .map(rules::ofMisfit)
              .orElseGet(() -> rules.ofCall(call.training().data(), call.training().fraction()));
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      if (runtime.conf().failsOnTrouble()) {
        throw error;
      }
      runtime.counters().fallbacks.incrementAndGet();
      LOG.warn(
          "Spark ATA: cannot look at the call ({}); MLlib trains. Set spark.ata.onError=fail to"
              + " have the exception instead, or spark.ata.enabled=false",
          error.toString(),
          error);
      return true;
    }
    return Departures.isLeft(eligibility, runtime, runtime.counters(), call.report());
  }

  private static Tuple2<Vector, double[]> allocated(TrainingCall call) {
    Tuple2<Vector, double[]> trained;
    try (RoundLog log =
            RoundLog.of(
                call.context(),
                call.runtime().conf().roundLogPath(),
                call.report().number(),
                RoundLog.GRADIENT_DESCENT,
                call.policy());
        SwitchingBatches batches = new SwitchingBatches(call, log)) {
      trained = new GradientDescentLoop(call.training(), batches, call.report()::loss).run();
    } catch (Throwable error) {
      call.report().failed(error);
      throw error;
    }
    call.report().end();
    return trained;
  }

  private static void explainAbsence(SparkContext context) {
    if (!ABSENCE_LOGGED.add(context)) {
      return;
    }
    if (context.getConf().contains(AtaKeys.ENABLED.key())
        && !AtaKeys.ENABLED.in(context.getConf())) {
      LOG.info("Spark ATA is off (spark.ata.enabled=false): MLlib trains");
    } else {
      LOG.warn(
          "Spark ATA is not running in this application, so MLlib trains. Set"
              + " spark.plugins=io.sparkata.AtaPlugin and spark.ata.enabled=true");
    }
  }

  /** Runs MLlib's own body, even if its callers are routed. */
  private static Tuple2<Vector, double[]> byMllib(Training training) {
    boolean wasMllibsTurn = IS_MLLIBS_TURN.get();
    IS_MLLIBS_TURN.set(true);
    try {
      return training.byMllib();
    } finally {
      if (!wasMllibsTurn) {
        IS_MLLIBS_TURN.remove();
      }
    }
  }
}
