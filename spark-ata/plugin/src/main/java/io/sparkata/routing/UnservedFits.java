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
import org.apache.spark.ml.Predictor;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.classification.OneVsRest;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says why fits never reach a route: once per class of estimators in the log, and once per call
 * site by an event.
 */
public final class UnservedFits {
  private static final Logger LOG = LoggerFactory.getLogger(UnservedFits.class);

  private static final String SPARKS = "org.apache.spark.ml.";

  /** Packages of estimators that train. */
  private static final Pattern TRAINING =
      Pattern.compile(
          Pattern.quote(SPARKS)
              + "(classification|clustering|fpm|recommendation|regression)\\.\\w+");

  private static final String SERVED =
      "AFTSurvivalRegression, FMClassifier, FMRegressor, LinearSVC, LogisticRegression,"
          + " MultilayerPerceptronClassifier";

  private static final Set<String> SERVED_NAMES =
      Pattern.compile(", ").splitAsStream(SERVED).collect(Collectors.toSet());

  /** They persist their rows and read them in many stages, whatever their parameters are. */
  private static final Set<String> CACHING =
      Set.of(
          "BisectingKMeans",
          "DecisionTreeClassifier",
          "DecisionTreeRegressor",
          "GBTClassifier",
          "GBTRegressor",
          "GaussianMixture",
          "KMeans",
          "RandomForestClassifier",
          "RandomForestRegressor");

  /** With more features, LinearRegression's solver auto is L-BFGS. */
  private static final int MOST_FEATURES_OF_NORMAL = 4096;

  private static final String OTHER = "it trains by neither gradient descent nor L-BFGS";
  private static final String BY_LBFGS = ", and LinearRegression with solver=l-bfgs";
  private static final String NORMAL =
      "with solver=%s it solves the normal equations in one pass over the rows";
  private static final String AUTO = "auto and up to 4,096 features";
  private static final String CAN_BALANCE = "Its stages over cached data can be balanced: set %s";
  private static final String IS_BALANCED =
      "Its stages over cached data are balanced, since spark.ata.cache=balance";

  private UnservedFits() {}

  /** Notes that this thread calls {@code Predictor.fit}; null lets Spark's own body run. */
  public static Object enter(Object predictor, Object[] arguments) {
    guard(() -> lookAtPredictor(predictor, (Dataset<?>) arguments[0]));
    return Fits.enter(predictor, arguments);
  }

  /** Looks at a stage that this thread fits; null lets Spark's own body log it. */
  public static Object enterStage(Object instrumentation, Object[] arguments) {
    guard(() -> lookAtStage(arguments[0]));
    return null;
  }

  private static void guard(Runnable look) {
    try {
      look.run();
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      LOG.debug("Spark ATA: cannot look at a fit", error);
    }
  }

  private static void lookAtPredictor(Object predictor, Dataset<?> rows) {
    String type = predictor.getClass().getSimpleName();
    if (!predictor.getClass().getName().startsWith(SPARKS) || SERVED_NAMES.contains(type)) {
      return;
    }
    runtime(rows.sparkSession())
        .ifPresent(
            runtime -> {
              if (!(predictor instanceof LinearRegression linear)) {
                say(runtime, type, OTHER, adviceOn(type, runtime));
              } else if (!isByLbfgs(linear, rows)) {
                String solver = linear.getSolver().equals("auto") ? AUTO : linear.getSolver();
                say(runtime, type, NORMAL.formatted(solver), "Set solver=l-bfgs");
              }
            });
  }

  /** Predictors were seen when their fit was called. */
  private static void lookAtStage(Object stage) {
    if (stage instanceof Predictor
        || stage instanceof OneVsRest
        || !TRAINING.matcher(stage.getClass().getName()).matches()) {
      return;
    }
    String type = stage.getClass().getSimpleName();
    runtime(SparkSession.active())
        .ifPresent(runtime -> say(runtime, type, OTHER, adviceOn(type, runtime)));
  }

  /** Empty if nothing is said. */
  private static Optional<AtaRuntime> runtime(SparkSession session) {
    return AtaRuntime.of(session.sparkContext())
        .filter(found -> !found.isOffHere() && found.conf().routes().contains(Route.LBFGS));
  }

  private static String adviceOn(String type, AtaRuntime runtime) {
    if (!CACHING.contains(type)) {
      return "Served are " + SERVED + BY_LBFGS;
    }
    return runtime.conf().toMoveCache().map(CAN_BALANCE::formatted).orElse(IS_BALANCED);
  }

  /** A number of features that the column does not say is taken to be small. */
  private static boolean isByLbfgs(LinearRegression linear, Dataset<?> rows) {
    return switch (linear.getSolver()) {
      case "normal" -> false;
      case "auto" -> {
        int features =
            AttributeGroup.fromStructField(rows.schema().apply(linear.getFeaturesCol())).size();
        yield features > MOST_FEATURES_OF_NORMAL || linear.getLoss().equals("huber");
      }
      default -> true;
    };
  }

  private static void say(AtaRuntime runtime, String type, String text, String advice) {
    String site = CallSite.ofThisThread(type + ".fit");
    if (runtime.isNews("fits of " + type)) {
      LOG.info("Spark ATA leaves fits of {} to Spark ({}): {}. {}", type, site, text, advice);
    }
    if (!runtime.isNews(site + " is left: " + text)) {
      return;
    }
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
