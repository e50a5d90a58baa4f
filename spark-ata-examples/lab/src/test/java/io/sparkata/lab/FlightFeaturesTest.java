package io.sparkata.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;

class FlightFeaturesTest {

  private final FlightFeatures features = new FlightFeatures(1 << 18, 3);

  @Test
  void indicesAscendWithinBoundsAndTheNormIsOne() {
    SplittableRandom random = new SplittableRandom(1);
    for (int buckets : new int[] {2, 64, 1 << 10, 1 << 18, 1 << 30}) {
      for (int order = 1; order <= 7; order++) {
        FlightFeatures some = new FlightFeatures(buckets, order);
        for (int flight = 0; flight < 50; flight++) {
          SparseVector vector = (SparseVector) randomFlight(some, random);
          int[] indices = vector.indices();
          assertThat(vector.size()).isEqualTo(some.size()).isEqualTo(buckets + 1);
          assertThat(indices).hasSameSizeAs(vector.values());
          assertThat(indices.length).isBetween(2, some.nonZeros());
          assertThat(indices[0]).isNotNegative();
          for (int i = 1; i < indices.length; i++) {
            assertThat(indices[i]).isGreaterThan(indices[i - 1]);
          }
          assertThat(indices[indices.length - 1]).as("bias").isEqualTo(buckets);
          assertThat(vector.values()).doesNotContain(0.0);
          assertThat(Vectors.norm(vector, 2.0)).isCloseTo(1.0, within(1e-12));
        }
      }
    }
  }

  @Test
  void indicatorsThatShareABucketAreSummed() {
    FlightFeatures two = new FlightFeatures(2, 3);
    SparseVector vector = (SparseVector) two.vector("JFK", "BOS", 7, 1, 3, 14, 187);

    assertThat(vector.indices()).containsExactly(0, 1, 2);
    double bias = vector.values()[2];
    assertThat((vector.values()[0] + vector.values()[1]) / bias).isCloseTo(63.0, within(1e-9));
  }

  @Test
  void theOrderSetsTheNumberOfIndicators() {
    int[] expected = {8, 29, 64, 99, 120, 127, 128};
    for (int order = 1; order <= 7; order++) {
      assertThat(new FlightFeatures(1 << 18, order).nonZeros()).isEqualTo(expected[order - 1]);
    }
    assertThat(new FlightFeatures().nonZeros())
        .isEqualTo(expected[FlightFeatures.DEFAULT_ORDER - 1]);
    assertThat(new FlightFeatures().size()).isEqualTo(FlightFeatures.DEFAULT_BUCKETS + 1);
  }

  @Test
  void theHashIsFixed() {
    // The JDK's SplittableRandom is SplitMix64: its outputs are mix(seed + n * gamma).
    SplittableRandom random = new SplittableRandom(0L);
    assertThat(FlightFeatures.mix(0x9e3779b97f4a7c15L)).isEqualTo(random.nextLong());
    assertThat(FlightFeatures.mix(0x3c6ef372fe94f82aL)).isEqualTo(random.nextLong());

    // The other values come from a second implementation in Python of what the class documents.
    SparseVector single =
        (SparseVector) new FlightFeatures(1 << 18, 1).vector("JFK", "BOS", 7, 1, 3, 14, 187);
    assertThat(single.indices())
        .containsExactly(19237, 32377, 189030, 208781, 211371, 224242, 229096, 262144);

    Vector first = features.vector("JFK", "BOS", 7, 1, 3, 14, 187);
    int[] indices = ((SparseVector) first).indices();
    assertThat(indices).hasSize(64).startsWith(247, 3561, 6969, 19237, 19507, 25049);
    assertThat(Arrays.hashCode(indices)).isEqualTo(788037047);
    assertThat(((SparseVector) first).values()).containsOnly(0.125);
  }

  @Test
  void equalFlightsGiveEqualVectors() throws IOException, ClassNotFoundException {
    Vector first = features.vector("JFK", "BOS", 7, 1, 3, 14, 187);

    assertThat(features.vector("JFK", "BOS", 7, 1, 3, 14, 187)).isEqualTo(first);
    assertThat(copy(features).vector("JFK", "BOS", 7, 1, 3, 14, 187)).isEqualTo(first);
    // 163 to 215 miles are one band. Every other field, and the order of the airports, counts.
    assertThat(features.vector("JFK", "BOS", 7, 1, 3, 14, 200)).isEqualTo(first);
    assertThat(features.vector("BOS", "JFK", 7, 1, 3, 14, 187)).isNotEqualTo(first);
    assertThat(features.vector("JFK", "BOS", 8, 1, 3, 14, 187)).isNotEqualTo(first);
    assertThat(features.vector("JFK", "BOS", 7, 2, 3, 14, 187)).isNotEqualTo(first);
    assertThat(features.vector("JFK", "BOS", 7, 1, 4, 14, 187)).isNotEqualTo(first);
    assertThat(features.vector("JFK", "BOS", 7, 1, 3, 15, 187)).isNotEqualTo(first);
    assertThat(features.vector("JFK", "BOS", 7, 1, 3, 14, 216)).isNotEqualTo(first);
  }

  @Test
  void distanceBandsCloseAtTheirUpperEnds() {
    assertThat(FlightFeatures.distanceBand(21)).isZero();
    assertThat(FlightFeatures.distanceBand(162)).isZero();
    assertThat(FlightFeatures.distanceBand(163)).isEqualTo(1);
    assertThat(FlightFeatures.distanceBand(1825)).isEqualTo(14);
    assertThat(FlightFeatures.distanceBand(1826)).isEqualTo(15);
    assertThat(FlightFeatures.distanceBand(4962)).isEqualTo(15);
  }

  @Test
  void sizesOutOfBoundsAreRefused() {
    for (int buckets : new int[] {0, 1, 3, 100, -4, Integer.MIN_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new FlightFeatures(buckets, 3));
    }
    for (int order : new int[] {0, 8, -1}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new FlightFeatures(64, order));
    }
  }

  private static Vector randomFlight(FlightFeatures features, SplittableRandom random) {
    return features.vector(
        airport(random),
        airport(random),
        random.nextInt(24),
        random.nextInt(1, 8),
        random.nextInt(1, 13),
        random.nextInt(1, 32),
        random.nextInt(21, 4963));
  }

  private static String airport(SplittableRandom random) {
    return random
        .ints(3, 'A', 'Z' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static FlightFeatures copy(FlightFeatures features)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(features);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (FlightFeatures) in.readObject();
    }
  }
}
