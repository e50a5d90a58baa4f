package io.sparkata.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;

class FlightFeaturesTest {
  private static final int[] FLIGHT = {"JFK".hashCode(), "BOS".hashCode(), 7, 1, 3, 14, 187};

  private final FlightFeatures features = new FlightFeatures(1 << 18, 3);

  @Test
  void vector_ofAnySize_hasAscendingIndicesWithinBoundsAndNormOne() {
    SplittableRandom random = new SplittableRandom(1);
    int[] indicators = {8, 29, 64, 99, 120, 127, 128};
    for (int buckets : new int[] {2, 64, 1 << 10, 1 << 18, 1 << 30}) {
      for (int order = 1; order <= 7; order++) {
        FlightFeatures some = new FlightFeatures(buckets, order);
        for (int flight = 0; flight < 50; flight++) {
          SparseVector vector = vector(some, random.ints(7, 0, 5000).toArray());
          int[] indices = vector.indices();
          assertThat(vector.size()).isEqualTo(some.size()).isEqualTo(buckets + 1);
          assertThat(indices).hasSameSizeAs(vector.values()).isSorted().doesNotHaveDuplicates();
          assertThat(indices.length).isBetween(2, indicators[order - 1]);
          assertThat(indices[0]).isNotNegative();
          assertThat(indices[indices.length - 1]).as("bias").isEqualTo(buckets);
          assertThat(vector.values()).doesNotContain(0.0);
          assertThat(Vectors.norm(vector, 2.0)).isCloseTo(1.0, within(1e-12));
        }
      }
    }
  }

  @Test
  void vector_indicatorsThatShareABucket_areSummed() {
    SparseVector vector = vector(new FlightFeatures(2, 3), FLIGHT);

    assertThat(vector.indices()).containsExactly(0, 1, 2);
    double bias = vector.values()[2];
    assertThat((vector.values()[0] + vector.values()[1]) / bias).isCloseTo(63.0, within(1e-9));
  }

  @Test
  void vector_always_hasTheDocumentedHash() {
    // The JDK's SplittableRandom is SplitMix64: its outputs are mix(seed + n * gamma).
    SplittableRandom random = new SplittableRandom(0L);
    assertThat(FlightFeatures.mix(0x9e3779b97f4a7c15L)).isEqualTo(random.nextLong());
    assertThat(FlightFeatures.mix(0x3c6ef372fe94f82aL)).isEqualTo(random.nextLong());

    // The other values come from a second implementation in Python of what the class documents.
    assertThat(vector(new FlightFeatures(1 << 18, 1), FLIGHT).indices())
        .containsExactly(19237, 32377, 189030, 208781, 211371, 224242, 229096, 262144);
    SparseVector vector = vector(features, FLIGHT);
    assertThat(vector.indices()).hasSize(64).startsWith(247, 3561, 6969, 19237, 19507, 25049);
    assertThat(Arrays.hashCode(vector.indices())).isEqualTo(788037047);
    assertThat(vector.values()).containsOnly(0.125);
  }

  @Test
  void vector_ofAnotherFlight_isAnother() {
    SparseVector first = vector(features, FLIGHT);

    for (int field = 0; field < FLIGHT.length; field++) {
      int[] other = FLIGHT.clone();
      other[field] += 50;
      assertThat(vector(features, other)).as("field %d", field).isNotEqualTo(first);
    }
    int[] sameBand = FLIGHT.clone();
    sameBand[6] = 200;
    assertThat(vector(features, sameBand)).isEqualTo(first);
    assertThat(vector(features, FLIGHT[1], FLIGHT[0], 7, 1, 3, 14, 187)).isNotEqualTo(first);
  }

  @Test
  void distanceBand_ofMiles_closesAtItsUpperEnd() {
    assertThat(FlightFeatures.distanceBand(21)).isZero();
    assertThat(FlightFeatures.distanceBand(162)).isZero();
    assertThat(FlightFeatures.distanceBand(163)).isEqualTo(1);
    assertThat(FlightFeatures.distanceBand(1825)).isEqualTo(14);
    assertThat(FlightFeatures.distanceBand(1826)).isEqualTo(15);
    assertThat(FlightFeatures.distanceBand(4962)).isEqualTo(15);
  }

  private static SparseVector vector(FlightFeatures features, int... fields) {
    return (SparseVector) features.vector(fields);
  }
}
