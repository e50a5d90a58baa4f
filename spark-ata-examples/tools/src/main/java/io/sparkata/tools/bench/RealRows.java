package io.sparkata.tools.bench;

import io.sparkata.tools.FlightFeatures;
import io.sparkata.tools.Flights;
import io.sparkata.tools.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  private static final String FLIGHTS = "flights";
  private static final String FASHION_MNIST = "fashion-mnist";

  /** What {@code scripts/fetch-data} knows. */
  static final List<String> SETS = List.of(FLIGHTS, FASHION_MNIST);

  /** One of {@link #SETS}. */
  static RealRows of(String set, Path data, double fraction) throws IOException {
    return set.equals(FLIGHTS) ? flights(data, fraction) : fashionMnist(data, fraction);
  }

  /**
   * Looks whether a set is there.
   *
   * @param data the folder of all sets
   */
  static void requireFetched(String set, Path data) {
    Path path = set.equals(FLIGHTS) ? flightsFile(data) : data.resolve(set);
    if (!Files.exists(path)) {
      throw new RunFailure("Cannot find " + path + ". Fetch it: scripts/fetch-data, or set --data");
    }
  }

  private static Path flightsFile(Path data) {
    return data.resolve(FLIGHTS).resolve("flights-3m.parquet");
  }

  /** Three million flights, later than 15 minutes or not. */
  private static RealRows flights(Path data, double fraction) throws IOException {
    Flights flights = Flights.read(flightsFile(data).toString(), 0);
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
  private static RealRows fashionMnist(Path data, double fraction) throws IOException {
    FashionMnist images =
        FashionMnist.read(data.resolve(FASHION_MNIST), "train", FashionMnist.DEFAULT_CLASS);
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
