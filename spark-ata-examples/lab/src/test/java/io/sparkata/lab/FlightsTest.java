package io.sparkata.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sparkata.testing.LocalSpark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

class FlightsTest {
  private static final String FILE = "../data/flights-2.5m.parquet";

  private static SparkSession session;

  private final FlightFeatures features = new FlightFeatures(64, 1);

  @BeforeAll
  static void start() {
    session =
        SparkSession.builder().config(LocalSpark.startPlain(Map.of()).getConf()).getOrCreate();
  }

  @AfterAll
  static void stop() {
    session.stop(); // close declares an IOException in Spark 4
  }

  @Test
  @Tag("nightly") // 2.5 million rows, three times
  void read_shippedFile_hasTheFlightsOfItsReadmeInAFixedOrder() {
    Flights all = Flights.read(session, FILE, 0);
    assertThat(all.rows()).isEqualTo(2_500_000);
    long late =
        IntStream.range(0, all.rows()).filter(i -> all.row(i, features)._1().equals(1.0)).count();
    assertThat(late).isEqualTo(499_235);

    Flights some = Flights.read(session, FILE, 1_003);
    List<Tuple2<Object, Vector>> joined = new ArrayList<>();
    for (int part = 0; part < 4; part++) {
      int before = joined.size();
      some.part(part, 4, features).forEachRemaining(joined::add);
      assertThat(joined.size() - before).isBetween(250, 251);
    }
    assertThat(joined)
        .isEqualTo(IntStream.range(0, 1_003).mapToObj(i -> all.row(i, features)).toList());
  }

  /** From Las Vegas to Philadelphia, 2,176 miles and 33 minutes late, as in the package. */
  @Test
  void read_fileWithDates_splitsThem(@TempDir Path folder) {
    String file = folder.resolve("dated.parquet").toString();
    session
        .sql(
            "select date, 33L as delay, 2176L as distance, 'LAS' as origin, 'PHL' as destination"
                + " from values (timestamp_ntz'2001-01-01 00:01:00'),"
                + " (timestamp_ntz'2001-07-01 00:00:00') as departures(date)")
        .write()
        .parquet(file);

    int las = "LAS".hashCode();
    int phl = "PHL".hashCode();
    Flights flights = Flights.read(session, file, 0);
    assertThat(List.of(flights.row(0, features), flights.row(1, features)))
        .containsExactlyInAnyOrder(
            new Tuple2<>(1.0, features.vector(las, phl, 0, 1, 1, 1, 2176)),
            new Tuple2<>(1.0, features.vector(las, phl, 0, 7, 7, 1, 2176)));
  }

  @Test
  void read_moreRowsThanThereAre_isRefused() {
    assertThatExceptionOfType(RunFailure.class)
        .isThrownBy(() -> Flights.read(session, FILE, 2_500_001))
        .withMessage("Invalid --rows: 2500001 (0 for all, at most 2500000)");
  }
}
