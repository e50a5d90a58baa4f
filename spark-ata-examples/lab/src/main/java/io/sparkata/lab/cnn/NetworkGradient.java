package io.sparkata.lab.cnn;

import java.util.SplittableRandom;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;

/**
 * The network's gradient and loss for one image, as MLlib and Spark ATA call a user's gradient: row
 * by row. Features are scaled pixels, the label is the class, and weights are {@link Cnn#model}.
 *
 * <p>A network has buffers of half a megabyte, and every round brings a new copy of this object. So
 * each thread keeps one network for all copies, and loads the weights once per round. Serialised to
 * executors.
 */
public class NetworkGradient extends Gradient {
  private static final long serialVersionUID = 1L;
  private static final ThreadLocal<Workspace> WORKSPACE = new ThreadLocal<>();

  private final int side;
  private final int classes;

  /**
   * @param side pixels in a row of an image, and rows
   */
  public NetworkGradient(int side, int classes) {
    this.side = side;
    this.classes = classes;
  }

  /**
   * Adds an image's gradient to {@code sum}, and returns its loss.
   *
   * @param weights dense, as is {@code sum}
   */
  @Override
  public final double compute(Vector features, double label, Vector weights, Vector sum) {
    Workspace workspace = WORKSPACE.get();
    if (workspace == null || workspace.side != side || workspace.classes != classes) {
      workspace = new Workspace(side, classes);
      WORKSPACE.set(workspace);
    }
    return workspace.add(features.toArray(), (int) label, weights.toArray(), sum.toArray());
  }

  private static final class Workspace {
    private final int side;
    private final int classes;
    private final Cnn network;
    private final float[] pixels;
    private double[] loaded;

    Workspace(int side, int classes) {
      this.side = side;
      this.classes = classes;
      network = new Cnn(side, classes, /* samples= */ 1, new SplittableRandom(0));
      pixels = new float[side * side];
    }

    double add(double[] features, int label, double[] weights, double[] sum) {
      if (weights != loaded) { // a round's weights are one array that does not change
        network.load(weights);
        loaded = weights;
      }
      for (int p = 0; p < pixels.length; p++) {
        pixels[p] = (float) features[p];
      }
      double loss = network.lossAndGradient(pixels, new int[] {label});
      network.addGradient(sum);
      return loss;
    }
  }
}
