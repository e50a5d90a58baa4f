package io.sparkata.lab.bench;

import io.sparkata.lab.FlightFeatures;
import io.sparkata.lab.Flights;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import scala.Tuple2;

/**
 * A binary logistic regression on what {@code scripts/fetch-data} fetches.
 *
 * @param features length of the weights
 * @param step found by trying powers of ten: the largest with which the loss falls
 */
record RealRows(
    String dataset,
    long rows,
    int features,
    double fraction,
    double step,
    Function<JavaSparkContext, IntFunction<JavaRDD<Tuple2<Object, Vector>>>> maker)
    implements Workload {

  /**
   * Reads a set.
   *
   * @param data the folder of all sets
   */
  static RealRows of(RealSet set, Path data, double fraction) throws IOException {
    Path path = set.in(data);
    return switch (set) {
      case FLIGHTS -> flights(path, fraction);
      case FASHION_MNIST -> fashionMnist(path, fraction);
    };
  }

  /** Three million flights, later than 15 minutes or not. */
  private static RealRows flights(Path file, double fraction) throws IOException {
    Flights flights = Flights.read(file.toString(), 0);
    FlightFeatures features = new FlightFeatures();
    return new RealRows(
        flights.rows() + " flights x " + features.size(),
        flights.rows(),
        features.size(),
        fraction,
        /* step= */ 100,
        context -> flights.on(context, features));
  }

  /** Sixty thousand images, T-shirts and tops or not. */
  private static RealRows fashionMnist(Path folder, double fraction) throws IOException {
    FashionMnist images = FashionMnist.read(folder, "train", FashionMnist.DEFAULT_CLASS);
    return new RealRows(
        "Fashion-MNIST " + images.rows() + " x " + images.size(),
        images.rows(),
        images.size(),
        fraction,
        /* step= */ 0.1,
        context -> parts -> images.rdd(context, parts));
  }

  @Override
  public String size() {
    return "real";
  }

  @Override
  public Gradient gradient() {
    return new LogisticGradient();
  }

  @Override
  public Vector start() {
    return Vectors.zeros(features);
  }

  @Override
  public IntFunction<JavaRDD<Tuple2<Object, Vector>>> on(JavaSparkContext context) {
    return maker.apply(context);
  }
}
