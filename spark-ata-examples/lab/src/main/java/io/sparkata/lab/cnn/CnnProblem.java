package io.sparkata.lab.cnn;

import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import scala.Tuple2;

/**
 * The network's training for MLlib: the images as rows, the first weights and the mean loss. A row
 * is the pixels of an image, scaled so that those of all images have mean 0 and standard deviation
 * 1; its label is the class. Driver only; serialised to executors for the rows.
 */
public final class CnnProblem implements Serializable {
  /** Images of a round. */
  public static final int BATCH = 23;

  /** Adam's, for each update. */
  public static final double STEP = 8e-5;

  /** Images of the mean loss. */
  public static final int LOSS_IMAGES = 2_000;

  private static final int AT_ONCE = 50;
  private static final long serialVersionUID = 1L;

  private final IdxImages images;
  private final float[] scaled = new float[256];

  /**
   * @param images to train on
   */
  public CnnProblem(IdxImages images) {
    this.images = images;
    double sum = 0;
    double squares = 0;
    for (byte pixel : images.pixels()) {
      int value = pixel & 0xFF;
      sum += value;
      squares += (double) value * value;
    }
    double mean = sum / images.pixels().length;
    double variance = squares / images.pixels().length - mean * mean;
    for (int value = 0; value < scaled.length; value++) {
      scaled[value] = (float) ((value - mean) / Math.sqrt(Math.max(variance, 1)));
    }
  }

  /** How many images. */
  public int rows() {
    return images.count();
  }

  /** Pixels in a row of an image. */
  public int side() {
    return images.side();
  }

  /** All rows in {@code parts} partitions of equal size, made on the executors. */
  public JavaRDD<Tuple2<Object, Vector>> rdd(JavaSparkContext context, int parts) {
    Broadcast<CnnProblem> sent = context.broadcast(this);
    return context
        .parallelize(IntStream.range(0, rows()).boxed().toList(), parts)
        .map(image -> sent.value().row(image));
  }

  /** The row of an image, by its number from 0. */
  public Tuple2<Object, Vector> row(int image) {
    double label = images.labels()[image];
    double[] pixels = IntStream.range(0, size()).mapToDouble(p -> pixel(image, p)).toArray();
    return new Tuple2<>(label, Vectors.dense(pixels));
  }

  /** Copies a row's pixels and label to the place of a sample. */
  void copy(int image, float[] pixels, int[] labels, int sample) {
    for (int p = 0; p < size(); p++) {
      pixels[sample * size() + p] = pixel(image, p);
    }
    labels[sample] = images.labels()[image];
  }

  private float pixel(int image, int p) {
    return scaled[images.pixels()[image * size() + p] & 0xFF];
  }

  private int size() {
    return side() * side();
  }

  /** Random weights for ReLU. */
  public Vector start(long seed) {
    return Vectors.dense(network(/* samples= */ 1, seed).model());
  }

  /** The mean loss over {@value #LOSS_IMAGES} images spread evenly over all. */
  public double loss(Vector weights) {
    Cnn network = network(AT_ONCE, /* seed= */ 0);
    network.load(weights.toArray());
    float[] pixels = new float[AT_ONCE * size()];
    int[] labels = new int[AT_ONCE];
    double sum = 0;
    for (int first = 0; first < LOSS_IMAGES; first += AT_ONCE) {
      for (int s = 0; s < AT_ONCE; s++) {
        copy((int) ((long) (first + s) * rows() / LOSS_IMAGES), pixels, labels, s);
      }
      sum += network.loss(pixels, labels);
    }
    return sum * AT_ONCE / LOSS_IMAGES;
  }

  private Cnn network(int samples, long seed) {
    return new Cnn(side(), IdxImages.CLASSES, samples, new SplittableRandom(seed));
  }
}
