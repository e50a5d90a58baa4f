package io.sparkata.lab.checks;

import io.sparkata.lab.FlightFeatures;
import io.sparkata.lab.Flights;
import io.sparkata.lab.RunFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.classification.SVMWithSGD;
import org.apache.spark.mllib.regression.LabeledPoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A support vector machine on real flights, trained by MLlib's {@code SVMWithSGD} as any
 * application would: nothing here knows whether Spark ATA is on. {@code scripts/ata check-yarn}
 * compares the weights that it writes.
 */
@Command(
    name = "plain-training",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Trains MLlib's SVMWithSGD on flights and writes its weights.")
public final class PlainTraining implements Callable<Integer> {
  private static final double STEP = 1;
  private static final double REG_PARAM = 0.01;
  private static final int PARTITIONS_PER_EXECUTOR = 2;
  private static final long WAIT_NANOS = 120_000_000_000L;

  @Option(names = "--data", required = true, description = "The flights, a Parquet file.")
  private String data;

  @Option(
      names = "--rows",
      defaultValue = "20000",
      description = "How many of them. Default: ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--executors",
      defaultValue = "2",
      description = "How many executors to wait for. Default: ${DEFAULT-VALUE}.")
  private int executors;

  @Option(names = "--iterations", defaultValue = "20", description = "Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Option(names = "--fraction", defaultValue = "0.5", description = "Default: ${DEFAULT-VALUE}.")
  private double fraction;

  @Option(
      names = "--weights",
      required = true,
      description = "The file for the weights, one a line; it appears when it is complete.")
  private Path weights;

  /** Exits with 0 if it has trained, else with 1 after one line that says why. */
  public static void main(String[] arguments) {
    int status = RunFailure.execute(new PlainTraining(), arguments);
    if (status != 0) { // a cluster's application master takes exit(0) before the end for a failure
      System.exit(status);
    }
  }

  @Override
  public Integer call() throws Exception {
    Flights flights = Flights.read(data, rows);
    FlightFeatures features = new FlightFeatures(/* buckets= */ 1024, /* order= */ 2);
    int parts = PARTITIONS_PER_EXECUTOR * executors;
    List<String> lines = new ArrayList<>();
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf())) {
      awaitExecutors(context);
      Broadcast<Flights> sent = context.broadcast(flights);
      JavaRDD<LabeledPoint> points =
          context
              .parallelize(IntStream.range(0, parts).boxed().toList(), parts)
              .flatMap(part -> sent.value().part(part, parts, features))
              .map(row -> new LabeledPoint((Double) row._1(), row._2()))
              .cache();
      double[] trained =
          SVMWithSGD.train(points.rdd(), iterations, STEP, REG_PARAM, fraction).weights().toArray();
      for (double weight : trained) {
        lines.add(Double.toString(weight));
      }
    }
    Path partial = Path.of(weights + ".partial");
    Files.write(partial, lines);
    Files.move(partial, weights, StandardCopyOption.REPLACE_EXISTING);
    return 0;
  }

  private void awaitExecutors(JavaSparkContext context) throws InterruptedException {
    long deadline = System.nanoTime() + WAIT_NANOS;
    while (context.sc().getExecutorMemoryStatus().size() < executors + 1) { // and the driver
      if (System.nanoTime() > deadline) {
        throw new RunFailure(
            "Cannot get "
                + executors
                + " executors in two minutes. Set --executors to as many as the cluster has room for.");
      }
      Thread.sleep(200);
    }
  }
}
