package io.sparkata.examples;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Reads the round log, one JSON object per round: what each executor computed in each training, and
 * how fast. Any training writes the log with {@code --conf spark.ata.roundLog.path=FOLDER}.
 *
 * <pre>
 * spark-submit --master spark://host:7077 \
 *   --class io.sparkata.examples.ReadRoundLog spark-ata-examples-0.1.0-SNAPSHOT.jar FOLDER
 * </pre>
 *
 * <p>Or, from the project's folder, with a Spark from Maven:
 *
 * <pre>
 * scripts/submit --class io.sparkata.examples.ReadRoundLog \
 *   spark-ata-examples/examples/target/scala-2.13/spark-ata-examples-0.1.0-SNAPSHOT.jar FOLDER
 * </pre>
 */
public final class ReadRoundLog {
  /** Only the fields that are read; {@code repeated} marks an attempt whose sum was not used. */
  private static final String FIELDS =
      "call BIGINT, round INT, repeated BOOLEAN, nanos BIGINT, workers ARRAY<STRUCT<"
          + "id: STRING, host: STRING, samples: BIGINT, kernelNanos: BIGINT, fetchNanos: BIGINT>>";

  private ReadRoundLog() {}

  /** Prints a line per training and a line per executor in each training. */
  public static void main(String[] arguments) {
    try (SparkSession spark = SparkSession.builder().appName("round log").getOrCreate()) {
      Dataset<Row> rounds =
          spark.read().schema(FIELDS).json(arguments[0]).where("repeated IS NULL").cache();
      rounds.createOrReplaceTempView("rounds");
      spark
          .sql(
              "SELECT call, count(*) AS rounds, percentile_approx(nanos, 0.5) / 1e6 AS medianMillis"
                  + " FROM rounds GROUP BY call ORDER BY call")
          .show();
      spark
          .sql(
              "SELECT call, worker.id, worker.host, sum(worker.samples) AS samples,"
                  + " sum(worker.kernelNanos) / sum(worker.samples) AS nanosPerSample,"
                  + " sum(worker.fetchNanos) / 1e6 AS fetchMillis"
                  + " FROM (SELECT call, explode(workers) AS worker FROM rounds)"
                  + " GROUP BY call, worker.id, worker.host ORDER BY call, samples DESC")
          .show();
    }
  }
}
