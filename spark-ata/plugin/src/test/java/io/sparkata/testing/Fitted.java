package io.sparkata.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;

/**
 * What a fit returned.
 *
 * @param parameters coefficients, intercepts and a scale, if there are such
 * @param history the objective of each iteration; empty if the model does not have it
 */
public record Fitted(Vector parameters, Vector history) {
  /** Relative; L-BFGS amplifies rounding. */
  public static final double TOLERANCE = 1e-6;

  /** The parameters are {@code coefficients} and then {@code others}. */
  public static Fitted of(double[] coefficients, double[] others, double[] history) {
    double[] all =
        DoubleStream.concat(DoubleStream.of(coefficients), DoubleStream.of(others)).toArray();
    return new Fitted(Vectors.dense(all), Vectors.dense(history));
  }

  /** The objective before the first iteration. */
  public double firstObjective() {
    return history.apply(0);
  }

  /** Asserts the same parameters and objectives, within {@link #TOLERANCE}. */
  public void assertSame(Fitted stock) {
    assertThat(Vectors.norm(stock.parameters, 2)).isPositive();
    assertThat(parameters.size()).isEqualTo(stock.parameters.size());
    assertThat(history.size() - stock.history.size())
        .as("more iterations than stock: rounding may decide on the last one")
        .isBetween(-1, 1);
    assertThat(difference(stock)).isLessThanOrEqualTo(TOLERANCE);
  }

  /** The relative difference of the parameters or of an objective, whichever is larger. */
  public double difference(Fitted stock) {
    double largest =
        Math.sqrt(Vectors.sqdist(parameters, stock.parameters)) / Vectors.norm(stock.parameters, 2);
    for (int i = 0; i < Math.max(history.size(), stock.history.size()); i++) {
      double objective = atOrLast(stock.history, i);
      largest = Math.max(largest, Math.abs((atOrLast(history, i) - objective) / objective));
    }
    return largest;
  }

  /** The last objective stands for an iteration that the other fit had besides. */
  private static double atOrLast(Vector history, int i) {
    return history.apply(Math.min(i, history.size() - 1));
  }
}
