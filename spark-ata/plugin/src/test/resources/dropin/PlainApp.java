import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.classification.SVMWithSGD;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.LabeledPoint;

/**
 * An application that knows Spark only. Arguments: the file for the weights, the block managers to
 * wait for, the contexts to train in, one after the other.
 */
public final class PlainApp {
  public static void main(String[] arguments) throws IOException {
    List<String> weights = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
      try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("plain"))) {
        while (spark.sc().getExecutorMemoryStatus().size() < Integer.parseInt(arguments[1])) {
          spark.parallelize(List.of(1, 2, 3, 4), 4).count();
        }
        JavaRDD<LabeledPoint> rows = spark.parallelize(rows(), 4).cache();
        for (double weight : SVMWithSGD.train(rows.rdd(), 15, 1.0, 0.1, 0.5).weights().toArray()) {
          weights.add(Double.toString(weight));
        }
      }
    }
    Path partial = Path.of(arguments[0] + ".partial");
    Files.write(partial, weights);
    Files.move(partial, Path.of(arguments[0]));
  }

  private static List<LabeledPoint> rows() {
    Random random = new Random(7);
    List<LabeledPoint> rows = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      double[] features = random.doubles(10, -1, 1).toArray();
      rows.add(new LabeledPoint(features[0] + features[1] > 0 ? 1 : 0, Vectors.dense(features)));
    }
    return rows;
  }
}
