package io.sparkata.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.mllib.linalg.Vector;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

class FlightsTest {
  private static final String FILE = "data/flights-2.5m.parquet";

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
  void read_moreRowsThanThereAre_isRefused() {
    assertThatExceptionOfType(RunFailure.class)
        .isThrownBy(() -> Flights.read(FILE, 2_500_001))
        .withMessage("Invalid --rows: 2500001 (0 for all, at most 2500000)");
  }
}
