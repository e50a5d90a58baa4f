package io.sparkata.lab.bench;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The training of each workload, by its name on the command line. */
final class Trainings {
  private static final int ROWS_PER_SLOT = 64;
  private static final int NON_ZEROS = 8;

  private Trainings() {}

  static Training of(String work, Setting setting) throws IOException {
    if (Experiment.isCachedWork(work)) {
      return new CachedWork(setting, work);
    }
    String[] words = work.split("-", 2);
    Path data = Path.of(setting.spec().data());
    return switch (words[0]) {
      case "logistic", "linear", "multilayer", "cross" -> Fit.ofMade(setting, work);
      case "flights" -> ofFlights(words[1], setting);
      case "dense", "sparse" -> new Descent(setting, made(work, setting.seed()));
      case "real" -> new Descent(setting, RealRows.flights(RealSet.FLIGHTS.in(data)));
      case "fashion" -> new Descent(setting, RealRows.fashionMnist(RealSet.FASHION_MNIST.in(data)));
      case "weights" -> ofNoWork(Integer.parseInt(words[1]), setting);
      case "cnn" -> ofNetwork(RealSet.FASHION_MNIST.in(data), Integer.parseInt(words[1]), setting);
      default -> throw new RunFailure("Invalid --work: %s (%s)".formatted(work, "see --help"));
    };
  }

  /** Rows by layout, size and fraction: {@code dense-large-mllib-0.1}. */
  static MadeRows made(String work, long seed) {
    String[] words = work.split("-", 2);
    int end = words[1].length();
    double fraction = 1;
    if (words[1].matches(".*\\.\\d+")) {
      end = words[1].lastIndexOf('-');
      fraction = Double.parseDouble(words[1].substring(end + 1));
    }
    return MadeRows.of(words[0], words[1].substring(0, end), fraction, seed);
  }

  private static Training ofFlights(String rest, Setting setting) throws IOException {
    Dataset<Row> table = SparkSession.builder().getOrCreate().read().parquet(setting.spec().data());
    Dataset<Row> input =
        setting.side().partitionsPerSlot() == 1 ? table : table.repartition(setting.partitions());
    long rows = Long.parseLong(rest.replace("sgd-", ""));
    String dataset = rows + " flights x " + FlightTable.FEATURES.size() + " sparse";
    return rest.startsWith("sgd-")
        ? new Descent(setting, RealRows.ofTable(input, rows, dataset))
        : Fit.ofFlights(setting, input, dataset);
  }

  private static Training ofNoWork(int weights, Setting setting) throws IOException {
    if (setting.side().method().startsWith("plain")) {
      return new PlainJobs(setting, weights);
    }
    long rows = (long) ROWS_PER_SLOT * setting.executors().count();
    return new Descent(
        setting, MadeRows.sparse(rows, weights, NON_ZEROS, /* classes= */ 2, setting.seed()));
  }

  private static Training ofNetwork(Path folder, int images, Setting setting) throws IOException {
    CnnRows network = CnnRows.read(folder, images, setting.seed());
    return setting.side().method().startsWith("ring")
        ? new InRing(setting, network)
        : new Descent(setting, network);
  }
}
