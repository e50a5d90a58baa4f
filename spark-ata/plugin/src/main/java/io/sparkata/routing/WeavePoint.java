package io.sparkata.routing;

/**
 * A method of Spark whose calls can be routed. No two points share a package, because {@link
 * WovenRoute} defines one class with one field in each.
 *
 * @param type binary name of its class
 * @param method its name; an instance method
 * @param descriptor its erased parameters and result, in the JVM's notation
 */
public record WeavePoint(String type, String method, String descriptor) {
  /** Every caller of MLlib's GradientDescent ends here. */
  public static final WeavePoint GRADIENT_DESCENT =
      new WeavePoint(
          "org.apache.spark.mllib.optimization.GradientDescent$",
          "runMiniBatchSGD",
          "(Lorg/apache/spark/rdd/RDD;Lorg/apache/spark/mllib/optimization/Gradient;"
              + "Lorg/apache/spark/mllib/optimization/Updater;DIDDLorg/apache/spark/mllib/linalg/Vector;D)"
              + "Lscala/Tuple2;");

  /**
   * Every {@code treeAggregate} ends here: zero, seqOp, combOp, depth, finalAggregateOnExecutor and
   * ClassTag.
   */
  public static final WeavePoint TREE_AGGREGATE =
      new WeavePoint(
          "org.apache.spark.rdd.RDD",
          "treeAggregate",
          "(Ljava/lang/Object;Lscala/Function2;Lscala/Function2;IZLscala/reflect/ClassTag;)"
              + "Ljava/lang/Object;");

  /** Estimators of spark.ml that learn to predict a label begin to fit here. */
  public static final WeavePoint FIT =
      new WeavePoint(
          "org.apache.spark.ml.Predictor",
          "fit",
          "(Lorg/apache/spark/sql/Dataset;)Lorg/apache/spark/ml/PredictionModel;");

  /**
   * Estimators that train call it when they begin to fit, also those that only fit others; feature
   * stages do not.
   */
  public static final WeavePoint STAGE =
      new WeavePoint(
          "org.apache.spark.ml.util.Instrumentation",
          "logPipelineStage",
          "(Lorg/apache/spark/ml/PipelineStage;)V");

  /** The class with the field that the woven code reads. */
  String holder() {
    return type.substring(0, type.lastIndexOf('.')) + ".SparkAtaRoute";
  }
}
