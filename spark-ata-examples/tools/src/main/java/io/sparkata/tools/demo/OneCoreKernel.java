package io.sparkata.tools.demo;

import io.sparkata.blocks.SparseBlock;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import io.sparkata.tools.FlightFeatures;
import io.sparkata.tools.Flights;
import java.util.Arrays;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import scala.Tuple2;

/**
 * How long one unthrottled core needs for the arithmetic of one round: Spark ATA's own kernel on
 * this thread over a packed sample of the rows, scaled to all of them. The sample is larger than
 * the caches, as a round is. Its values are not coded, as executors code those of these rows: that
 * makes about a tenth of difference.
 */
final class OneCoreKernel {
  static final int SAMPLE_ROWS = 100_000;
  private static final int PASSES = 21;
  private static final int WARM_UP_PASSES = 10;

  private OneCoreKernel() {}

  /** Seconds per round; the median of some passes over the sample. */
  static double secondsPerRound(Flights flights, FlightFeatures features) {
    SparseBlock block = pack(flights, features, Math.min(SAMPLE_ROWS, flights.rows()));
    GradientKernel kernel = Kernels.of(new LogisticGradient());
    double[] weights = new double[features.size()];
    double[] gradient = new double[features.size()];
    double[] seconds = new double[PASSES];
    for (int pass = -WARM_UP_PASSES; pass < PASSES; pass++) {
      long start = System.nanoTime();
      kernel.add(block, /* rows= */ null, 0, block.rows(), weights, gradient);
      if (pass >= 0) {
        seconds[pass] = (System.nanoTime() - start) / 1e9;
      }
    }
    Arrays.sort(seconds);
    return seconds[PASSES / 2] * flights.rows() / block.rows();
  }

  private static SparseBlock pack(Flights flights, FlightFeatures features, int rows) {
    double[] labels = new double[rows];
    int[] starts = new int[rows + 1];
    int[] indices = new int[Math.multiplyExact(rows, features.nonZeros())];
    double[] values = new double[indices.length];
    for (int i = 0; i < rows; i++) {
      Tuple2<Object, Vector> row = flights.row(i, features);
      SparseVector vector = (SparseVector) row._2();
      int length = vector.indices().length;
      labels[i] = (Double) row._1();
      System.arraycopy(vector.indices(), 0, indices, starts[i], length);
      System.arraycopy(vector.values(), 0, values, starts[i], length);
      starts[i + 1] = starts[i] + length;
    }
    return new SparseBlock(/* packingId= */ 0, labels, features.size(), starts, indices, values);
  }
}
