package io.sparkata.lab.bench;

import io.sparkata.lab.FlightFeatures;
import io.sparkata.lab.Flights;
import io.sparkata.lab.cnn.IdxImages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
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
    double step,
    Function<JavaSparkContext, IntFunction<JavaRDD<Tuple2<Object, Vector>>>> maker)
    implements Workload {

  /** Three million flights, later than 15 minutes or not. */
  static RealRows flights(Path file) {
    Flights flights = Flights.read(SparkSession.builder().getOrCreate(), file.toString(), 0);
    FlightFeatures features = new FlightFeatures(/* buckets= */ 1 << 18, /* order= */ 7);
    return new RealRows(
        flights.rows() + " flights x " + features.size(),
        flights.rows(),
        features.size(),
        /* step= */ 100,
        context -> flights.on(context, features));
  }

  /** Sixty thousand images, T-shirts and tops or not, each of 784 pixels from 0 to 1. */
  static RealRows fashionMnist(Path folder) throws IOException {
    IdxImages images = IdxImages.read(folder, "train");
    int pixels = images.side() * images.side();
    return new RealRows(
        "Fashion-MNIST " + images.count() + " x " + pixels,
        images.count(),
        pixels,
        /* step= */ 0.1,
        context -> {
          Broadcast<IdxImages> sent = context.broadcast(images);
          return parts ->
              context
                  .parallelize(IntStream.range(0, images.count()).boxed().toList(), parts)
                  .map(i -> image(sent.value(), i));
        });
  }

  private static Tuple2<Object, Vector> image(IdxImages images, int i) {
    double[] pixels = new double[images.side() * images.side()];
    for (int p = 0; p < pixels.length; p++) {
      pixels[p] = Byte.toUnsignedInt(images.pixels()[i * pixels.length + p]) / 255.0;
    }
    return new Tuple2<>(images.labels()[i] == 0 ? 1.0 : 0.0, Vectors.dense(pixels));
  }

  /** Of a table of flights, as a feature pipeline leaves it behind, in its own partitions. */
  static RealRows ofTable(Dataset<Row> flights, long rows, String dataset) {
    return new RealRows(
        dataset,
        rows,
        FlightTable.FEATURES.size(),
        /* step= */ 100,
        unused ->
            parts ->
                flights
                    .toJavaRDD()
                    .map(row -> new Tuple2<>(row.get(0), Vectors.fromML(row.getAs(1)))));
  }

  /** Every row in every round: the loss of one mini-batch is no mark to reach. */
  @Override
  public double fraction() {
    return 1;
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
