package io.sparkata.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.mllib.linalg.Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

class FlightsTest {
  private static final String FILE = "../data/flights-2.5m.parquet";

  private final FlightFeatures features = new FlightFeatures(64, 1);

  @Test
  void read_shippedFile_hasTheRowsAndLateFlightsOfItsReadme() throws IOException {
    Flights all = Flights.read(FILE, 0);

    assertThat(all.rows()).isEqualTo(2_500_000);
    long late =
        IntStream.range(0, all.rows()).filter(i -> all.row(i, features)._1().equals(1.0)).count();
    assertThat(late).isEqualTo(499_235);
  }

  @Test
  void part_severalParts_areTheRowsInOrderAndEvenInSize() throws IOException {
    Flights some = Flights.read(FILE, 1_003);
    List<Tuple2<Object, Vector>> joined = new ArrayList<>();
    for (int part = 0; part < 4; part++) {
      int before = joined.size();
      some.part(part, 4, features).forEachRemaining(joined::add);
      assertThat(joined.size() - before).isBetween(250, 251);
    }

    assertThat(joined)
        .isEqualTo(IntStream.range(0, 1_003).mapToObj(i -> some.row(i, features)).toList());
  }

  @Test
  void read_twice_givesTheSameOrder() throws IOException {
    Flights first = Flights.read(FILE, 100);
    Flights second = Flights.read(FILE, 100);

    assertThat(IntStream.range(0, 100).mapToObj(i -> first.row(i, features)))
        .containsExactlyElementsOf(
            IntStream.range(0, 100).mapToObj(i -> second.row(i, features)).toList());
  }

  @Test
  void read_fileWithDates_splitsThem(@TempDir java.nio.file.Path folder) throws IOException {
    String file = folder.resolve("dated.parquet").toString();
    writeDated(file, "TIMESTAMP(MICROS,false)", "2001-01-01T00:01", "2001-07-01T00:00");

    Flights flights = Flights.read(file, 0);

    assertThat(List.of(flights.row(0, features), flights.row(1, features)))
        .containsExactlyInAnyOrder(
            new Tuple2<>(1.0, features.vector("LAS", "PHL", 0, 1, 1, 1, 2176)),
            new Tuple2<>(1.0, features.vector("LAS", "PHL", 0, 7, 7, 1, 2176)));
  }

  @Test
  void read_datesInAnotherUnit_isRefused(@TempDir java.nio.file.Path folder) throws IOException {
    String file = folder.resolve("dated.parquet").toString();
    writeDated(file, "TIMESTAMP(MILLIS,false)", "2001-01-01T00:01");

    assertThatExceptionOfType(RunFailure.class)
        .isThrownBy(() -> Flights.read(file, 0))
        .withMessage(
            "Invalid flights: dates of type TIMESTAMP(MILLIS,false) (TIMESTAMP(MICROS,false))");
  }

  /** Flights from Las Vegas to Philadelphia, 2,176 miles and 33 minutes late, as in the package. */
  private static void writeDated(String file, String type, String... departures)
      throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message root { optional int64 date ("
                + type
                + "); optional int64 delay; optional int64 distance;"
                + " optional binary origin (STRING); optional binary destination (STRING); }");
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new Path(file)).withType(schema).build()) {
      for (String departure : departures) {
        long seconds = LocalDateTime.parse(departure).toEpochSecond(ZoneOffset.UTC);
        writer.write(
            groups
                .newGroup()
                .append("date", seconds * 1_000_000)
                .append("delay", 33L)
                .append("distance", 2176L)
                .append("origin", "LAS")
                .append("destination", "PHL"));
      }
    }
  }

  @Test
  void read_moreRowsThanThereAre_isRefused() {
    assertThatExceptionOfType(RunFailure.class)
        .isThrownBy(() -> Flights.read(FILE, 2_500_001))
        .withMessage("Invalid --rows: 2500001 (0 for all, at most 2500000)");
  }
}
