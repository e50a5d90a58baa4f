package io.sparkata.lab.bench;

import io.sparkata.lab.cnn.AdamUpdater;
import io.sparkata.lab.cnn.CnnProblem;
import io.sparkata.lab.cnn.IdxImages;
import io.sparkata.lab.cnn.NetworkGradient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/**
 * The paper's network on the first images of Fashion-MNIST, a user's gradient and updater.
 *
 * @param images of a round, in the mean
 */
record CnnRows(CnnProblem problem, int images, long seed) implements Workload {
  /** All sides have as many of the first images: what a fast executor lacks must be moved. */
  private static final int IMAGES = 12_000;

  /** The same code under another name, so that no side knows speeds from the warm-up. */
  private static final class WarmUpGradient extends NetworkGradient {
    private static final long serialVersionUID = 1L;

    WarmUpGradient(int side) {
      super(side, IdxImages.CLASSES);
    }
  }

  /** Reads the images. */
  static CnnRows read(Path folder, int images, long seed) throws IOException {
    return new CnnRows(new CnnProblem(IdxImages.read(folder, "train").first(IMAGES)), images, seed);
  }

  /** The mean loss. */
  double loss(Vector weights) {
    return problem.loss(weights);
  }

  @Override
  public String dataset() {
    return "%d weights, %d of %d images a round".formatted(start().size(), images, rows());
  }

  @Override
  public long rows() {
    return problem.rows();
  }

  @Override
  public double fraction() {
    return (double) images / rows();
  }

  @Override
  public Gradient gradient() {
    return new NetworkGradient(problem.side(), IdxImages.CLASSES);
  }

  @Override
  public Gradient warmUpGradient() {
    return new WarmUpGradient(problem.side());
  }

  @Override
  public Updater updater() {
    return new AdamUpdater(start().size());
  }

  @Override
  public double regParam() {
    return 0;
  }

  @Override
  public double step() {
    return CnnProblem.STEP;
  }

  @Override
  public Vector start() {
    return problem.start(seed);
  }

  @Override
  public IntFunction<JavaRDD<Tuple2<Object, Vector>>> on(JavaSparkContext context) {
    return parts -> problem.rdd(context, parts);
  }
}
