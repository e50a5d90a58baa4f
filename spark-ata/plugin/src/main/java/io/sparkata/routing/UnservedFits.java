package io.sparkata.routing;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.config.Route;
import io.sparkata.events.TrainingLeft;
import io.sparkata.gate.Trouble;
import io.sparkata.report.CallSite;
import io.sparkata.report.Fits;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.sql.Dataset;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once per class of estimators why its fits never reach a route. */
public final class UnservedFits {
  private static final Logger LOG = LoggerFactory.getLogger(UnservedFits.class);

  private static final String SPARKS = "org.apache.spark.ml.";

  private static final String SERVED =
      "AFTSurvivalRegression, FMClassifier, FMRegressor, LinearSVC, LogisticRegression,"
          + " MultilayerPerceptronClassifier";

  private static final Set<String> SERVED_NAMES =
      Pattern.compile(", ").splitAsStream(SERVED).collect(Collectors.toSet());

  /** With more features, LinearRegression's solver auto is L-BFGS. */
  private static final int MOST_FEATURES_OF_NORMAL = 4096;

  private static final String OTHER = "it trains by neither gradient descent nor L-BFGS";
  private static final String BY_LBFGS = ", and LinearRegression with solver=l-bfgs";
  private static final String NORMAL =
      "with solver=%s it solves the normal equations in one pass over the rows";

  private UnservedFits() {}

  /** Notes that this thread calls {@code fit}; null lets Spark's own body run. */
  public static Object enter(Object estimator, Object[] arguments) {
    try {
      look(estimator, (Dataset<?>) arguments[0]);
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      LOG.debug("Spark ATA: cannot look at a fit", error);
    }
    return Fits.enter(estimator, arguments);
  }

  private static void look(Object estimator, Dataset<?> rows) {
    String type = estimator.getClass().getSimpleName();
    if (!estimator.getClass().getName().startsWith(SPARKS) || SERVED_NAMES.contains(type)) {
      return;
    }
    Optional<AtaRuntime> found = AtaRuntime.of(rows.sparkSession().sparkContext());
    if (found.isEmpty()
        || found.get().isOffHere()
        || !found.get().conf().routes().contains(Route.LBFGS)) {
      return;
    }
    String text = OTHER;
    String advice = "Served are " + SERVED + BY_LBFGS;
    if (estimator instanceof LinearRegression linear) {
      if (isByLbfgs(linear, rows)) {
        return;
      }
      text = NORMAL.formatted(linear.getSolver());
      advice = "Set solver=l-bfgs";
    }
    say(found.get(), type, text, advice);
  }

  /** True also if that is not known, as without the number of features. */
  private static boolean isByLbfgs(LinearRegression linear, Dataset<?> rows) {
    return switch (linear.getSolver()) {
      case "normal" -> false;
      case "auto" -> {
        int features =
            AttributeGroup.fromStructField(rows.schema().apply(linear.getFeaturesCol())).size();
        boolean isNormal = features >= 0 && features <= MOST_FEATURES_OF_NORMAL;
        yield !isNormal || linear.getLoss().equals("huber");
      }
      default -> true;
    };
  }

  private static void say(AtaRuntime runtime, String type, String text, String advice) {
    if (!runtime.isNews("fits of " + type)) {
      return;
    }
    String site = CallSite.ofThisThread(type + ".fit");
    LOG.info("Spark ATA leaves fits of {} to Spark ({}): {}. {}", type, site, text, advice);
    runtime
        .reporter()
        .post(
            new TrainingLeft(
                runtime.nextTraining(),
                System.currentTimeMillis(),
                site,
                "other",
                Reason.OTHER_METHOD.name(),
                text,
                advice));
  }
}
