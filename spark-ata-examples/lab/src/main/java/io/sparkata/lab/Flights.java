package io.sparkata.lab;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * Flights in a random order that is the same in every run of a file. The driver reads them and
 * serialises them to executors: 32 bytes per flight.
 *
 * <p>The file is {@code data/flights-2.5m.parquet}, or the {@code flights-3m.parquet} that it was
 * cut from, which has the departure in one column, {@code date}: local time.
 */
public final class Flights implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final long ORDER_SEED = 2001;

  /** A flight is late (label 1) if it arrives more than this many minutes after schedule. */
  private static final int LATE_MINUTES = 15;

  /** Of a flight: whether it is late, and the fields of {@link FlightFeatures}. */
  private static final int NUMBERS = 1 + FlightFeatures.FIELDS;

  private final int[] numbers;

  private Flights(int[] numbers) {
    this.numbers = numbers;
  }

  /**
   * Reads a file in either form.
   *
   * @param wanted number of rows, chosen at random; 0 for all
   */
  public static Flights read(SparkSession session, String file, int wanted) {
    Dataset<Row> table = session.read().parquet(file);
    if (Arrays.asList(table.columns()).contains("date")) {
      table =
          table.selectExpr(
              "origin",
              "destination",
              "hour(date) as hour",
              "weekday(date) + 1 as weekday",
              "month(date) as month",
              "day(date) as day",
              "distance",
              "delay");
    }
    int all = Math.toIntExact(table.count());
    if (wanted < 0 || wanted > all) {
      throw new RunFailure("Invalid --rows: " + wanted + " (0 for all, at most " + all + ")");
    }
    int rows = wanted == 0 ? all : wanted;
    int[] numbers = new int[NUMBERS * rows];
    List<Integer> order = new ArrayList<>(IntStream.range(0, all).boxed().toList());
    Collections.shuffle(order, new Random(ORDER_SEED));
    Iterator<Row> flights =
        table
            .selectExpr(
                "int(delay > " + LATE_MINUTES + ")",
                "origin",
                "destination",
                "int(hour)",
                "int(weekday)",
                "int(month)",
                "int(day)",
                "int(distance)")
            .toLocalIterator();
    for (int i = 0; flights.hasNext(); i++) {
      Row flight = flights.next();
      int place = order.get(i);
      for (int k = 0; k < NUMBERS && place < rows; k++) {
        boolean isAirport = k == 1 || k == 2;
        numbers[NUMBERS * place + k] =
            isAirport ? flight.getString(k).hashCode() : flight.getInt(k);
      }
    }
    return new Flights(numbers);
  }

  public int rows() {
    return numbers.length / NUMBERS;
  }

  /** Label and features of a flight, as MLlib's GradientDescent takes them. */
  Tuple2<Object, Vector> row(int i, FlightFeatures features) {
    int[] fields = Arrays.copyOfRange(numbers, NUMBERS * i + 1, NUMBERS * (i + 1));
    return new Tuple2<>((double) numbers[NUMBERS * i], features.vector(fields));
  }

  /** The rows of one of {@code parts} equal parts, created one at a time. */
  Iterator<Tuple2<Object, Vector>> part(int part, int parts, FlightFeatures features) {
    int from = (int) ((long) rows() * part / parts);
    int to = (int) ((long) rows() * (part + 1) / parts);
    return IntStream.range(from, to).mapToObj(i -> row(i, features)).iterator();
  }

  /**
   * An RDD of these flights in the given number of partitions, sent to executors by one broadcast.
   */
  public IntFunction<JavaRDD<Tuple2<Object, Vector>>> on(
      JavaSparkContext context, FlightFeatures features) {
    Broadcast<Flights> sent = context.broadcast(this);
    return parts ->
        context
            .parallelize(IntStream.range(0, parts).boxed().toList(), parts)
            .flatMap(part -> sent.value().part(part, parts, features));
  }
}
