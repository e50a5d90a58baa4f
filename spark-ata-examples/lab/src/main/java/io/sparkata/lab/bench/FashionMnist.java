package io.sparkata.lab.bench;

import io.sparkata.lab.cnn.IdxImages;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import scala.Tuple2;

/**
 * Fashion-MNIST for binary classification: one class, label 1, against the rest, label 0. An image
 * is a dense vector of its 784 pixels, row by row, each 0 to 1. The images keep the order of the
 * file, which has the classes mixed. Read on the driver, serialised to executors, a byte a pixel.
 */
final class FashionMnist implements Serializable {
  /** T-shirts and tops: the default class to separate from the rest. */
  static final int DEFAULT_CLASS = 0;

  private static final long serialVersionUID = 1L;
  private static final double WHITE = 255.0;
  private static final Object ONE = 1.0;
  private static final Object REST = 0.0;

  private final byte[] pixels;
  private final byte[] classes;
  private final int wanted;

  private FashionMnist(byte[] pixels, byte[] classes, int wanted) {
    this.pixels = pixels;
    this.classes = classes;
    this.wanted = wanted;
  }

  /**
   * Reads one of the two parts.
   *
   * @param folder with the part's two idx files
   * @param part train (60,000 images) or t10k (10,000)
   * @param wanted the class with label 1, 0 to 9
   * @throws io.sparkata.lab.RunFailure if a file is missing or no idx file
   */
  static FashionMnist read(Path folder, String part, int wanted) throws IOException {
    if (wanted < 0 || wanted >= IdxImages.CLASSES) {
      throw new IllegalArgumentException("Invalid class: " + wanted + " (0 to 9)");
    }
    IdxImages images = IdxImages.read(folder, part);
    return new FashionMnist(images.pixels(), images.labels(), wanted);
  }

  int rows() {
    return classes.length;
  }

  /** Length of every vector. */
  int size() {
    return pixels.length / classes.length;
  }

  /**
   * All rows in {@code parts} partitions of equal size, as MLlib's GradientDescent takes them. They
   * are made in the executors, of a broadcast that lives as long as what is returned.
   */
  JavaRDD<Tuple2<Object, Vector>> rdd(JavaSparkContext context, int parts) {
    Broadcast<FashionMnist> sent = context.broadcast(this);
    return context
        .parallelize(IntStream.range(0, parts).boxed().toList(), parts)
        .flatMap(part -> sent.value().part(part, parts));
  }

  private Iterator<Tuple2<Object, Vector>> part(int part, int parts) {
    int from = (int) ((long) rows() * part / parts);
    int to = (int) ((long) rows() * (part + 1) / parts);
    return IntStream.range(from, to).mapToObj(this::row).iterator();
  }

  private Tuple2<Object, Vector> row(int i) {
    double[] values = new double[size()];
    for (int p = 0; p < values.length; p++) {
      values[p] = Byte.toUnsignedInt(pixels[i * values.length + p]) / WHITE;
    }
    return new Tuple2<>(classes[i] == wanted ? ONE : REST, Vectors.dense(values));
  }
}
