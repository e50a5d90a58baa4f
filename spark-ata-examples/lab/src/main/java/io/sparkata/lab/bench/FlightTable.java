package io.sparkata.lab.bench;

import io.sparkata.lab.FlightFeatures;
import io.sparkata.lab.Flights;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * A table of flights for spark.ml, such as a feature pipeline leaves behind: a label, 1 for a late
 * flight, and a sparse vector of hashed single fields and pairs of fields. Parquet, in equal files.
 */
public final class FlightTable {
  static final FlightFeatures FEATURES = new FlightFeatures(/* buckets= */ 1 << 16, /* order= */ 2);

  private FlightTable() {}

  /**
   * Writes one, from a session of its own.
   *
   * @param arguments Parquet file of the flights, rows, files, folder
   */
  public static void main(String[] arguments) throws Exception {
    try (SparkSession session = SparkSession.builder().getOrCreate()) {
      Flights flights = Flights.read(session, arguments[0], Integer.parseInt(arguments[1]));
      JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
      Fit.frame(flights.on(context, FEATURES).apply(Integer.parseInt(arguments[2])))
          .write()
          .mode(SaveMode.Overwrite)
          .parquet(arguments[3]);
    }
  }
}
