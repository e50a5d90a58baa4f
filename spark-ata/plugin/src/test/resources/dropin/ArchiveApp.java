import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.mllib.classification.SVMWithSGD;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.mllib.util.MLUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Loads the classes of Spark that trainings need, those of executors too. */
public final class ArchiveApp {
  public static void main(String[] arguments) throws ClassNotFoundException {
    Class.forName("org.apache.spark.executor.CoarseGrainedExecutorBackend$");
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("archive"))) {
      JavaRDD<LabeledPoint> rows = spark.parallelize(rows(), 4).cache();
      SVMWithSGD.train(rows.rdd(), 5, 1.0, 0.1, 0.5);
      SparkSession session = SparkSession.builder().sparkContext(spark.sc()).getOrCreate();
      Dataset<Row> table = session.createDataFrame(rows, LabeledPoint.class);
      new LogisticRegression()
          .setMaxIter(3)
          .fit(MLUtils.convertVectorColumnsToML(table, "features"));
      Dataset<Row> cached = session.range(0, 100, 1, 4).selectExpr("id % 7 AS key").cache();
      cached.groupBy("key").count().collect();
    }
  }

  private static List<LabeledPoint> rows() {
    Random random = new Random(7);
    List<LabeledPoint> rows = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      double[] features = random.doubles(10, -1, 1).toArray();
      rows.add(new LabeledPoint(features[0] + features[1] > 0 ? 1 : 0, Vectors.dense(features)));
    }
    return rows;
  }
}
