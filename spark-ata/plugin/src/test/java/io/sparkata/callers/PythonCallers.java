package io.sparkata.callers;

import io.sparkata.testing.TestData;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.api.python.PythonMLLibAPI;
import org.apache.spark.mllib.api.python.SerDe;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.LabeledPoint;
import scala.Tuple2;

/** PySpark's door into MLlib, without Python: what {@code pyspark.mllib} calls over Py4J. */
final class PythonCallers {
  private static final int FEATURES = 8;
  private static final Vector START = Vectors.zeros(FEATURES);
  private static final int ROUNDS = Caller.ITERATIONS;
  private static final double STEP = 0.5;
  private static final double REG_PARAM = 0.01;
  private static final double NEVER = 0;

  private PythonCallers() {}

  static List<Caller> all() {
    PythonMLLibAPI python = new PythonMLLibAPI();
    return List.of(
        caller(
            "LinearRegressionWithSGD",
            data ->
                python.trainLinearRegressionModelWithSGD(
                    data, ROUNDS, STEP, 0.5, START, REG_PARAM, "l2", true, true, NEVER)),
        caller(
            "LassoWithSGD",
            data ->
                python.trainLassoModelWithSGD(
                    data, ROUNDS, STEP, REG_PARAM, 1.0, START, false, true, NEVER)),
        caller(
            "RidgeRegressionWithSGD",
            data ->
                python.trainRidgeModelWithSGD(
                    data, ROUNDS, STEP, REG_PARAM, 0.5, START, true, true, NEVER)),
        caller(
            "LogisticRegressionWithSGD",
            data ->
                python.trainLogisticRegressionModelWithSGD(
                    data, ROUNDS, STEP, 1.0, START, REG_PARAM, "l1", true, false, NEVER)),
        caller(
            "SVMWithSGD",
            data ->
                python.trainSVMModelWithSGD(
                    data, ROUNDS, STEP, REG_PARAM, 0.5, START, null, false, true, NEVER)));
  }

  private static Caller caller(String name, Function<JavaRDD<LabeledPoint>, List<Object>> train) {
    return new Caller(
        "pyspark.mllib " + name,
        1,
        spark -> {
          boolean isSparse = name.startsWith("L");
          JavaRDD<LabeledPoint> data =
              Caller.labeled(spark, TestData.rows(400, FEATURES, isSparse, 6));
          return weightsOf(train.apply(data));
        });
  }

  /**
   * Weights, the intercept, and for logistic regression two counts, pickled as PySpark gets them.
   */
  private static Tuple2<Vector, double[]> weightsOf(List<Object> model) {
    SerDe.initialize();
    Object[] unpickled = ((Collection<?>) SerDe.loads(SerDe.dumps(model))).toArray();
    Vector weights = (Vector) unpickled[0];
    double[] all = Arrays.copyOf(weights.toArray(), weights.size() + unpickled.length - 1);
    for (int i = 1; i < unpickled.length; i++) {
      all[weights.size() + i - 1] = ((Number) unpickled[i]).doubleValue();
    }
    return new Tuple2<>(Vectors.dense(all), new double[0]);
  }
}
