package io.sparkata.kernel;

import io.sparkata.blocks.PackedBlock;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;

/** Runs any gradient row by row, as MLlib does. */
record RowByRowKernel(Gradient gradient) implements GradientKernel {

  @Override
  public double add(
      PackedBlock block, int[] rows, int first, int count, double[] weights, double[] sum) {
    Vector model = Vectors.dense(weights);
    Vector total = Vectors.dense(sum);
    double loss = 0;
    for (int i = 0; i < count; i++) {
      int row = rows == null ? first + i : rows[i];
      loss += gradient.compute(block.features(row), block.label(row), model, total);
    }
    return loss;
  }
}
