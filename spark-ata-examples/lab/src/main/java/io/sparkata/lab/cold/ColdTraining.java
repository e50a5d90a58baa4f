package io.sparkata.lab.cold;

import io.sparkata.lab.IterationClock;
import io.sparkata.lab.bench.Evaluations;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.Transformer;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** One training as a user writes it, which the clock measures. Driver only. */
interface ColdTraining {

  /** Goes over the input once, so that executors have loaded the code that reads it. */
  void read();

  /** Trains, from the input to the model. */
  double[] train();

  /** How many evaluations or iterations have ended so far. Any thread. */
  int ended();

  /**
   * Seconds from the start of the training to the end of each evaluation or iteration.
   *
   * @param millis the start, by the system's clock
   * @param nanos the same by {@link System#nanoTime}
   */
  List<Double> ends(long millis, long nanos) throws Exception;

  /** What a model consists of, to compare two of them. */
  interface Weights {
    double[] of(Transformer model);
  }

  /** A pipeline of one estimator of spark.ml, by L-BFGS. */
  final class Fit implements ColdTraining {
    private final Dataset<Row> input;
    private final Estimator<?> estimator;
    private final Weights weights;
    private final Evaluations evaluations;

    Fit(Dataset<Row> input, Estimator<?> estimator, Weights weights) {
      this.input = input;
      this.estimator = estimator;
      this.weights = weights;
      this.evaluations = new Evaluations(input.sparkSession().sparkContext(), () -> 0);
    }

    @Override
    public void read() {
      input.toJavaRDD().count();
    }

    @Override
    public double[] train() {
      PipelineModel model = new Pipeline().setStages(new PipelineStage[] {estimator}).fit(input);
      return weights.of(model.stages()[0]);
    }

    @Override
    public int ended() {
      return evaluations.count();
    }

    @Override
    public List<Double> ends(long millis, long nanos) throws Exception {
      return evaluations.secondsSince(millis);
    }
  }

  /** MLlib's gradient descent over all rows, which are cached as its guide asks for. */
  final class Descent implements ColdTraining {
    private static final double REG_PARAM = 1e-5;

    private final JavaRDD<Tuple2<Object, Vector>> rows;
    private final Gradient gradient;
    private final int weights;
    private final double step;
    private final int iterations;
    private final IterationClock clock = new IterationClock(new SquaredL2Updater());

    Descent(
        JavaRDD<Tuple2<Object, Vector>> rows,
        Gradient gradient,
        int weights,
        double step,
        int iterations) {
      this.rows = rows;
      this.gradient = gradient;
      this.weights = weights;
      this.step = step;
      this.iterations = iterations;
    }

    @Override
    public void read() {
      rows.count();
    }

    @Override
    public double[] train() {
      rows.persist(StorageLevel.MEMORY_ONLY());
      return GradientDescent.runMiniBatchSGD(
              rows.rdd(),
              gradient,
              clock,
              step,
              iterations,
              REG_PARAM,
              /* miniBatchFraction= */ 1.0,
              Vectors.zeros(weights),
              /* convergenceTol= */ 0)
          ._1()
          .toArray();
    }

    @Override
    public int ended() {
      return clock.count();
    }

    @Override
    public List<Double> ends(long millis, long nanos) {
      return clock.secondsSince(nanos);
    }
  }
}
