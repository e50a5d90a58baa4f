package io.sparkata.training;

import io.sparkata.spark.BreezeLoading;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * MLlib's mini-batch loop, step by step, with the sums of each batch taken from a {@link
 * BatchSource}. Warnings and the final message are MLlib's, under MLlib's logger.
 */
final class GradientDescentLoop {
  private static final Logger LOG = LoggerFactory.getLogger(GradientDescent.class);

  private static final int LOSSES_SHOWN = 10;

  private final Training training;
  private final BatchSource batches;
  private final DoubleConsumer seen;
  private final List<Double> losses = new ArrayList<>();
  private Vector weights;
  private double regularisation;

  GradientDescentLoop(Training training, BatchSource batches) {
    this(training, batches, loss -> {});
  }

  /**
   * @param seen gets each loss
   */
  GradientDescentLoop(Training training, BatchSource batches, DoubleConsumer seen) {
    this.training = training;
    this.batches = batches;
    this.seen = seen;
  }

  /** The trained weights and the loss before each update. */
  Tuple2<Vector, double[]> run() {
    warnOfArguments();
    long rows = BreezeLoading.during(batches::countRows); // which packs them
    if (rows == 0) {
      LOG.warn("GradientDescent.runMiniBatchSGD returning initial weights, no data found");
      return new Tuple2<>(training.initialWeights(), new double[0]);
    }
    if (rows * training.fraction() < 1) {
      LOG.warn("The miniBatchFraction is too small");
    }
    weights = Vectors.dense(training.initialWeights().toArray());
    regularisation =
        update(Vectors.zeros(weights.size()), /* stepSize= */ 0, /* iteration= */ 1)._2();
    iterate();
    int from = Math.max(0, losses.size() - LOSSES_SHOWN);
    List<String> last = losses.subList(from, losses.size()).stream().map(String::valueOf).toList();
    LOG.info(
        "GradientDescent.runMiniBatchSGD finished. Last 10 stochastic losses {}",
        String.join(", ", last));
    return new Tuple2<>(weights, losses.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private void warnOfArguments() {
    if (training.fraction() < 1.0 && training.convergenceTol() > 0.0) {
      LOG.warn(
          "Testing against a convergenceTol when using miniBatchFraction < 1.0 can be unstable"
              + " because of the stochasticity in sampling.");
    }
    if (training.iterations() * training.fraction() < 1.0) {
      LOG.warn(
          "Not all examples will be used if numIterations * miniBatchFraction < 1.0:"
              + " numIterations={} and miniBatchFraction={}",
          training.iterations(),
          training.fraction());
    }
  }

  private void iterate() {
    int iterations = training.iterations();
    boolean isConverged = false;
    Vector previous = null;
    for (int i = 1; !isConverged && i <= iterations + 1; i++) {
      BatchSum sum = batches.sum(i, weights);
      if (sum.count() == 0) {
        LOG.warn("Iteration ({}/{}). The size of sampled batch is zero", i, iterations);
        continue;
      }
      double loss = sum.loss() / sum.count() + regularisation;
      losses.add(loss);
      seen.accept(loss);
      if (i <= iterations) {
        Tuple2<Vector, Double> next = update(mean(sum), training.stepSize(), i);
        weights = next._1();
        regularisation = next._2();
        isConverged =
            previous != null && Convergence.isReached(previous, weights, training.convergenceTol());
        previous = weights;
      }
    }
  }

  private Tuple2<Vector, Double> update(Vector gradient, double stepSize, int iteration) {
    Tuple2<Vector, Object> updated =
        training.updater().compute(weights, gradient, stepSize, iteration, training.regParam());
    return new Tuple2<>(updated._1(), (Double) updated._2());
  }

  private static Vector mean(BatchSum sum) {
    double[] gradient = sum.gradient();
    double count = sum.count();
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] /= count;
    }
    return Vectors.dense(gradient);
  }
}
