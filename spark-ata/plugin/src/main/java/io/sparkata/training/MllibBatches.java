package io.sparkata.training;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import scala.Tuple2;

/** MLlib's own expression: sample the caller's RDD, then treeAggregate at depth 2. */
final class MllibBatches implements BatchSource {
  private static final int DEPTH = 2;

  private final Training training;
  private final JavaRDD<Tuple2<Object, Vector>> data;

  MllibBatches(Training training) {
    this.training = training;
    this.data = JavaRDD.fromRDD(training.data(), training.data().elementClassTag());
  }

  @Override
  public long countRows() {
    return data.count();
  }

  @Override
  public BatchSum sum(int iteration, Vector weights) {
    Broadcast<Vector> model = JavaSparkContext.fromSparkContext(data.context()).broadcast(weights);
    try {
      Gradient gradient = training.gradient();
      return data.sample(
              /* withReplacement= */ false, training.fraction(), Training.seedOf(iteration))
          .treeAggregate(
              new RowSum(),
              (sum, row) -> sum.add(gradient, row, model.value()),
              (left, right) -> {
                left.merge(right);
                return left;
              },
              DEPTH);
    } finally {
      model.destroy();
    }
  }

  @Override
  public void close() {}

  /** A sum that rows are added to one by one. */
  private static final class RowSum extends BatchSum {
    private static final long serialVersionUID = 1L;

    RowSum add(Gradient gradient, Tuple2<Object, Vector> row, Vector weights) {
      if (gradient() == null) {
        add(new double[weights.size()], /* rowLoss= */ 0, /* rowCount= */ 0);
      }
      Vector total = Vectors.dense(gradient());
      add(null, gradient.compute(row._2(), (Double) row._1(), weights, total), 1);
      return this;
    }
  }
}
