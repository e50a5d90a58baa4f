package io.sparkata.lab;

import java.io.IOException;
import java.io.Serializable;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.linalg.Vector;
import scala.Tuple2;

/**
 * Flights in columns, in a random order that is the same in every run of a file. The driver reads
 * them and serialises them to executors: 12 bytes per flight.
 *
 * <p>The file is {@code data/flights-2.5m.parquet}, or the {@code flights-3m.parquet} that it was
 * cut from, which has the departure in one column, {@code date}: local time in microseconds.
 *
 * <p>Spark SQL is not used: an executor with a tenth of a core would need a minute to load it.
 */
public final class Flights implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final long ORDER_SEED = 2001;
  private static final Object LATE = 1.0;
  private static final Object IN_TIME = 0.0;
  private static final LogicalTypeAnnotation LOCAL_MICROS =
      LogicalTypeAnnotation.timestampType(/* isAdjustedToUTC= */ false, TimeUnit.MICROS);

  private final List<String> airports = new ArrayList<>();
  private final int rows;
  private final byte[] month;
  private final byte[] day;
  private final byte[] weekday;
  private final byte[] hour;
  private final short[] delay;
  private final short[] distance;
  private final short[] origin;
  private final short[] destination;

  private Flights(int rows) {
    this.rows = rows;
    month = new byte[rows];
    day = new byte[rows];
    weekday = new byte[rows];
    hour = new byte[rows];
    delay = new short[rows];
    distance = new short[rows];
    origin = new short[rows];
    destination = new short[rows];
  }

  /**
   * Reads a file in either form.
   *
   * @param wanted number of rows, chosen at random; 0 for all
   */
  public static Flights read(String file, int wanted) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromPath(new Path(file), new Configuration()))) {
      int all = Math.toIntExact(reader.getRecordCount());
      if (wanted < 0 || wanted > all) {
        throw new RunFailure("Invalid --rows: " + wanted + " (0 for all, at most " + all + ")");
      }
      Flights flights = new Flights(wanted == 0 ? all : wanted);
      flights.readAll(reader, randomOrder(all));
      return flights;
    }
  }

  private void readAll(ParquetFileReader reader, int[] order) throws IOException {
    MessageType schema = reader.getFooter().getFileMetaData().getSchema();
    boolean dated = isDated(schema);
    Map<String, Short> codes = new HashMap<>();
    int next = 0;
    for (PageReadStore page = reader.readNextRowGroup();
        page != null;
        page = reader.readNextRowGroup()) {
      RecordReader<Group> records =
          new ColumnIOFactory()
              .getColumnIO(schema)
              .getRecordReader(page, new GroupRecordConverter(schema));
      for (long i = 0; i < page.getRowCount(); i++) {
        Group flight = records.read();
        int row = order[next++];
        if (row < rows) {
          if (dated) {
            setDated(row, flight);
          } else {
            setSplit(row, flight);
          }
          origin[row] = code(flight.getString("origin", 0), codes);
          destination[row] = code(flight.getString("destination", 0), codes);
        }
      }
    }
  }

  private static boolean isDated(MessageType schema) {
    if (!schema.containsField("date")) {
      return false;
    }
    LogicalTypeAnnotation unit = schema.getType("date").getLogicalTypeAnnotation();
    if (!LOCAL_MICROS.equals(unit)) {
      throw new RunFailure("Invalid flights: dates of type " + unit + " (" + LOCAL_MICROS + ")");
    }
    return true;
  }

  private void setSplit(int row, Group flight) {
    month[row] = (byte) flight.getInteger("month", 0);
    day[row] = (byte) flight.getInteger("day", 0);
    weekday[row] = (byte) flight.getInteger("weekday", 0);
    hour[row] = (byte) flight.getInteger("hour", 0);
    delay[row] = (short) flight.getInteger("delay", 0);
    distance[row] = (short) flight.getInteger("distance", 0);
  }

  private void setDated(int row, Group flight) {
    long seconds = Math.floorDiv(flight.getLong("date", 0), 1_000_000L);
    LocalDateTime departure = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
    month[row] = (byte) departure.getMonthValue();
    day[row] = (byte) departure.getDayOfMonth();
    weekday[row] = (byte) departure.getDayOfWeek().getValue();
    hour[row] = (byte) departure.getHour();
    delay[row] = (short) flight.getLong("delay", 0);
    distance[row] = (short) flight.getLong("distance", 0);
  }

  private short code(String airport, Map<String, Short> codes) {
    return codes.computeIfAbsent(
        airport,
        unseen -> {
          airports.add(unseen);
          return (short) (airports.size() - 1);
        });
  }

  private static int[] randomOrder(int n) {
    int[] order = IntStream.range(0, n).toArray();
    Random random = new Random(ORDER_SEED);
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swap = order[i];
      order[i] = order[j];
      order[j] = swap;
    }
    return order;
  }

  public int rows() {
    return rows;
  }

  /** Label and features of a flight, as MLlib's GradientDescent takes them. */
  public Tuple2<Object, Vector> row(int i, FlightFeatures features) {
    Vector vector =
        features.vector(
            airports.get(origin[i]),
            airports.get(destination[i]),
            hour[i],
            weekday[i],
            month[i],
            day[i],
            distance[i]);
    return new Tuple2<>(delay[i] > FlightFeatures.LATE_MINUTES ? LATE : IN_TIME, vector);
  }

  /** The rows of one of {@code parts} equal parts, created one at a time. */
  public Iterator<Tuple2<Object, Vector>> part(int part, int parts, FlightFeatures features) {
    int from = (int) ((long) rows * part / parts);
    int to = (int) ((long) rows * (part + 1) / parts);
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
