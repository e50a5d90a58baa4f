package io.sparkata.testing;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.classification.MultilayerPerceptronClassificationModel;
import org.apache.spark.ml.classification.MultilayerPerceptronClassifier;
import org.apache.spark.ml.linalg.Matrices;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.regression.AFTSurvivalRegression;
import org.apache.spark.ml.regression.AFTSurvivalRegressionModel;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.mllib.classification.LogisticRegressionWithLBFGS;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LBFGS;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** The fits of Spark that optimize by L-BFGS, L-BFGS-B or OWL-QN. */
@SuppressWarnings("ImmutableEnumChecker")
public enum Fit {
  LOGISTIC(EnumSet.allOf(Terms.class)) {
    @Override
    public Fitted train(FitData data, Terms terms, int iterations) {
      return of(logistic(data, terms, iterations, /* classes= */ 2).fit(data.dataset()));
    }
  },
  MULTINOMIAL(EnumSet.allOf(Terms.class)) {
    @Override
    public Fitted train(FitData data, Terms terms, int iterations) {
      return of(logistic(data, terms, iterations, FitData.CLASSES).fit(data.dataset()));
    }
  },
  /** By OWL-QN. */
  ELASTIC_NET(EnumSet.of(Terms.PLAIN, Terms.WEIGHTED, Terms.WITHOUT_INTERCEPT)) {
    @Override
    public Fitted train(FitData data, Terms terms, int iterations) {
      return of(
          logistic(data, terms, iterations, /* classes= */ 2)
              .setElasticNetParam(0.5)
              .fit(data.dataset()));
    }
  },
  LINEAR_SVC(EnumSet.of(Terms.PLAIN, Terms.WEIGHTED, Terms.WITHOUT_INTERCEPT)) {
    @Override
    public Fitted train(FitData data, Terms terms, int iterations) {
      LinearSVCModel model = with(data, terms, iterations, new LinearSVC()).fit(data.dataset());
      return Fitted.of(
          model.coefficients().toArray(),
          new double[] {model.intercept()},
          model.summary().objectiveHistory());
    }
  },
  LEAST_SQUARES(EnumSet.of(Terms.PLAIN, Terms.WEIGHTED, Terms.WITHOUT_INTERCEPT)) {
    @Override
    public Fitted train(FitData data, Terms terms, int iterations) {
      return linear(data, terms, iterations, "squaredError");
    }
  },
  HUBER(EnumSet.of(Terms.PLAIN, Terms.WEIGHTED, Terms.WITHOUT_INTERCEPT)) {
    @Override
    public Fitted train(FitData data, Terms terms, int iterations) {
      return linear(data, terms, iterations, "huber");
    }
  },
  /** Its model does not have the objectives. */
  AFT(EnumSet.of(Terms.PLAIN, Terms.WITHOUT_INTERCEPT)) {
    @Override
    public Fitted train(FitData data, Terms terms, int iterations) {
      AFTSurvivalRegressionModel model =
          new AFTSurvivalRegression()
              .setLabelCol("time")
              .setCensorCol("censor")
              .setMaxIter(iterations)
              .setFitIntercept(terms.haveIntercept())
              .setTol(TOLERANCE)
              .setMaxBlockSizeInMB(data.blockMegabytes())
              .fit(data.dataset());
      return Fitted.of(
          model.coefficients().toArray(),
          new double[] {model.intercept(), model.scale()},
          new double[0]);
    }
  },
  PERCEPTRON(EnumSet.of(Terms.PLAIN)) {
    @Override
    public Fitted train(FitData data, Terms terms, int iterations) {
      MultilayerPerceptronClassificationModel model =
          new MultilayerPerceptronClassifier()
              .setLabelCol("class")
              .setLayers(new int[] {data.features(), 5, FitData.CLASSES})
              .setBlockSize(8)
              .setMaxIter(iterations)
              .setTol(TOLERANCE)
              .setSeed(13)
              .fit(data.dataset());
      return Fitted.of(
          model.weights().toArray(), new double[0], model.summary().objectiveHistory());
    }
  },
  /** Ends in spark.ml, with blocks of 1 MB. */
  MLLIB_TWO_CLASSES(EnumSet.of(Terms.PLAIN)) {
    @Override
    public Fitted train(FitData data, Terms terms, int iterations) {
      return byMllib(data, iterations, /* classes= */ 2);
    }
  },
  MLLIB_THREE_CLASSES(EnumSet.of(Terms.PLAIN)) {
    @Override
    public Fitted train(FitData data, Terms terms, int iterations) {
      return byMllib(data, iterations, FitData.CLASSES);
    }
  },
  /** Called as users call it. */
  MLLIB_OPTIMIZER(EnumSet.of(Terms.PLAIN)) {
    @Override
    public Fitted train(FitData data, Terms terms, int iterations) {
      RDD<Tuple2<Object, Vector>> rows = data.binaryRows().persist(StorageLevel.MEMORY_ONLY());
      Tuple2<Vector, double[]> fitted =
          LBFGS.runLBFGS(
              rows,
              new LogisticGradient(),
              new SquaredL2Updater(),
              /* numCorrections= */ 10,
              TOLERANCE,
              iterations,
              REG_PARAM,
              org.apache.spark.mllib.linalg.Vectors.zeros(data.features()));
      rows.unpersist(/* blocking= */ false);
      return Fitted.of(fitted._1().toArray(), new double[0], fitted._2());
    }
  };

  /** So small that the number of iterations ends a fit. */
  private static final double TOLERANCE = 1e-12;

  private static final double REG_PARAM = 0.01;

  /** What else a fit has. */
  public enum Terms {
    PLAIN,
    WEIGHTED,
    WITHOUT_INTERCEPT,
    /** By L-BFGS-B; some bounds are reached. */
    BOUNDED,
    WEIGHTED_AND_BOUNDED;

    private boolean areWeighted() {
      return this == WEIGHTED || this == WEIGHTED_AND_BOUNDED;
    }

    private boolean areBounded() {
      return this == BOUNDED || this == WEIGHTED_AND_BOUNDED;
    }

    private boolean haveIntercept() {
      return this != WITHOUT_INTERCEPT;
    }
  }

  private final Set<Terms> terms;

  Fit(Set<Terms> terms) {
    this.terms = terms;
  }

  /** The terms that this fit knows. */
  public List<Terms> terms() {
    return List.copyOf(terms);
  }

  /** Trains; ends all that it persists. */
  public abstract Fitted train(FitData data, Terms terms, int iterations);

  /** A logistic regression for {@code data}, of two classes or three. */
  public static LogisticRegression logistic(
      FitData data, Terms terms, int iterations, int classes) {
    LogisticRegression logistic =
        with(data, terms, iterations, new LogisticRegression())
            .setLabelCol(classes == 2 ? "label" : "class")
            .setFamily(classes == 2 ? "binomial" : "multinomial");
    if (terms.areBounded()) {
      int sets = classes == 2 ? 1 : classes;
      logistic
          .setLowerBoundsOnCoefficients(all(-0.3, sets, data.features()))
          .setUpperBoundsOnCoefficients(all(0.6, sets, data.features()))
          .setUpperBoundsOnIntercepts(Vectors.dense(all(0.5, sets, 1).toArray()));
    }
    return logistic;
  }

  private static Matrix all(double value, int rows, int columns) {
    double[] values = new double[rows * columns];
    Arrays.fill(values, value);
    return Matrices.dense(rows, columns, values);
  }

  /** What a logistic regression fitted. */
  public static Fitted of(LogisticRegressionModel model) {
    return Fitted.of(
        model.coefficientMatrix().toArray(),
        model.interceptVector().toArray(),
        model.summary().objectiveHistory());
  }

  private static Fitted linear(FitData data, Terms terms, int iterations, String loss) {
    LinearRegressionModel model =
        with(data, terms, iterations, new LinearRegression())
            .setLabelCol("number")
            .setSolver("l-bfgs")
            .setLoss(loss)
            .fit(data.dataset());
    return Fitted.of(
        model.coefficients().toArray(),
        new double[] {model.intercept(), model.scale()},
        model.summary().objectiveHistory());
  }

  /** Sets the parameters that the linear models have in common. */
  private static <E extends Estimator<?>> E with(
      FitData data, Terms terms, int iterations, E estimator) {
    Map<String, Object> common =
        Map.of(
            "maxIter", iterations,
            "fitIntercept", terms.haveIntercept(),
            "tol", TOLERANCE,
            "regParam", REG_PARAM,
            "maxBlockSizeInMB", data.blockMegabytes());
    common.forEach((name, value) -> estimator.set(estimator.getParam(name), value));
    if (terms.areWeighted()) {
      estimator.set(estimator.getParam("weightCol"), "weight");
    }
    return estimator;
  }

  private static Fitted byMllib(FitData data, int iterations, int classes) {
    LogisticRegressionWithLBFGS logistic = new LogisticRegressionWithLBFGS();
    logistic.setNumClasses(classes).setIntercept(true);
    logistic
        .optimizer()
        .setNumIterations(iterations)
        .setConvergenceTol(TOLERANCE)
        .setRegParam(REG_PARAM);
    org.apache.spark.mllib.classification.LogisticRegressionModel model =
        logistic.run(data.points(classes));
    return Fitted.of(model.weights().toArray(), new double[] {model.intercept()}, new double[0]);
  }
}
