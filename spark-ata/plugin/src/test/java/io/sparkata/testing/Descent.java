package io.sparkata.testing;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.regression.FMRegressionModel;
import org.apache.spark.ml.regression.FMRegressor;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.mllib.util.MLUtils;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/** Calls of Spark that train by gradient descent. */
public enum Descent {
  /** MLlib's own class. */
  LOGISTIC {
    @Override
    public double[] train(JavaSparkContext spark) {
      RDD<Tuple2<Object, Vector>> data =
          TestData.partitions(spark, TestData.rows(600, FEATURES, false, 1), PARTITIONS);
      return new GradientDescent(new LogisticGradient(), new SquaredL2Updater())
          .setNumIterations(ITERATIONS)
          .setMiniBatchFraction(0.5)
          .setConvergenceTol(0)
          .optimize(data, Vectors.zeros(FEATURES))
          .toArray();
    }
  },

  /** spark.ml's factorization machine, whose updater adamW keeps state from round to round. */
  FM {
    @Override
    public double[] train(JavaSparkContext spark) {
      SparkSession session = SparkSession.builder().sparkContext(spark.sc()).getOrCreate();
      JavaRDD<LabeledPoint> points =
          TestData.partitions(spark, TestData.rows(600, FEATURES, false, 2), PARTITIONS)
              .toJavaRDD()
              .map(row -> new LabeledPoint((Double) row._1(), row._2()));
      Dataset<Row> data = session.createDataFrame(points, LabeledPoint.class);
      FMRegressionModel model =
          new FMRegressor()
              .setSolver("adamW")
              .setFactorSize(2)
              .setMaxIter(ITERATIONS)
              .setSeed(1)
              .setStepSize(0.1)
              .setTol(0)
              .fit(MLUtils.convertVectorColumnsToML(data, "features"));
      double[] linear = model.linear().toArray();
      double[] factors = model.factors().toArray();
      double[] all = Arrays.copyOf(linear, linear.length + factors.length + 1);
      System.arraycopy(factors, 0, all, linear.length, factors.length);
      all[all.length - 1] = model.intercept();
      return all;
    }
  };

  /** Updates of each; besides, a first round asks for the loss only. */
  public static final int ITERATIONS = 14;

  /** Of the data of each. */
  public static final int PARTITIONS = 4;

  private static final int FEATURES = 6;

  /** The weights after training. */
  public abstract double[] train(JavaSparkContext spark);

  /** The weights of each by stock MLlib, in a context of its own. */
  public static Map<Descent, double[]> stock() {
    return Mllib.stock(
        spark -> {
          Map<Descent, double[]> weights = new EnumMap<>(Descent.class);
          List.of(values()).forEach(one -> weights.put(one, one.train(spark)));
          return weights;
        });
  }
}
