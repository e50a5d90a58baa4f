package io.sparkata.lab;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;

/**
 * Hashed crossed indicators of one flight: a sparse vector of length {@code buckets + 1}.
 *
 * <p>Seven fields (origin, destination, hour, weekday, month, day of month, distance band) give one
 * indicator for each set of one to {@code order} of them (order 3: 7 + 21 + 35, order 7: all 127),
 * and the last index holds a bias of the same weight. Indices ascend strictly, indicators that
 * share a bucket are summed, and the vector has L2 norm 1: at order 3 its 64 values are mostly 1/8.
 *
 * <p>The hash is fixed. A field of number f (from 1, in the order above) and int value v has the
 * key {@code (f << 32 | v) * 0x9e3779b97f4a7c15}. A set has {@code h = mix(h ^ key)} over its
 * fields in order, from h = 0. Its bucket is the top log2(buckets) bits of h. An airport's value is
 * its code's {@link String#hashCode()}. mix is the 64-bit finaliser of SplitMix64 (Steele, Lea and
 * Flood, OOPSLA 2014; constants of Stafford's variant 13).
 *
 * @param buckets a power of two from 2 to 2^30
 * @param order most fields in one indicator, 1 to 7
 */
public record FlightFeatures(int buckets, int order) implements Serializable {
  /** Fields of a flight. */
  static final int FIELDS = 7;

  private static final long GAMMA = 0x9e3779b97f4a7c15L;

  /** Upper ends of the distance bands in miles: the 16-quantiles of the 3,000,000 flights. */
  private static final int[] BAND_MILES = {
    162, 215, 257, 309, 349, 406, 475, 569, 643, 745, 867, 980, 1120, 1437, 1825
  };

  /** Length of every vector: the buckets and the bias, which has the last index. */
  public int size() {
    return buckets + 1;
  }

  /**
   * The features of one flight.
   *
   * @param fields in their order: the hash codes of the airports, hour, weekday from 1 (Monday),
   *     month from 1, day of the month, distance in miles
   */
  Vector vector(int... fields) {
    long[] keys = new long[FIELDS];
    for (int f = 0; f < FIELDS; f++) {
      int value = f == FIELDS - 1 ? distanceBand(fields[f]) : fields[f];
      keys[f] = ((f + 1L) << 32 | Integer.toUnsignedLong(value)) * GAMMA;
    }
    int[] indices = new int[1 << FIELDS];
    int count = cross(0L, keys, 0, order, indices, 0);
    indices[count++] = buckets;
    Arrays.sort(indices, 0, count);
    return unit(indices, count);
  }

  /** The band, 0 to 15, of a distance in miles. */
  static int distanceBand(int miles) {
    int at = Arrays.binarySearch(BAND_MILES, miles);
    return at < 0 ? -at - 1 : at;
  }

  /** SplitMix64's finaliser. */
  static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
    return b ^ (b >>> 31);
  }

  /** Adds the bucket of every set that extends the set of hash h by 1 to left of keys[from..]. */
  private int cross(long h, long[] keys, int from, int left, int[] out, int at) {
    int n = at;
    for (int i = from; i < keys.length; i++) {
      long hash = mix(h ^ keys[i]);
      out[n++] = (int) (hash >>> (Long.numberOfLeadingZeros(buckets) + 1));
      if (left > 1) {
        n = cross(hash, keys, i + 1, left - 1, out, n);
      }
    }
    return n;
  }

  /** Counts each of the first indices, which are sorted, and scales the counts to norm 1. */
  private Vector unit(int[] sorted, int count) {
    int[] indices = new int[count];
    double[] values = new double[count];
    int n = 0;
    for (int i = 0; i < count; i++) {
      if (n == 0 || indices[n - 1] != sorted[i]) {
        indices[n++] = sorted[i];
      }
      values[n - 1]++;
    }
    double scale = 1.0 / Math.sqrt(Arrays.stream(values).map(value -> value * value).sum());
    for (int i = 0; i < n; i++) {
      values[i] *= scale;
    }
    return new SparseVector(size(), Arrays.copyOf(indices, n), Arrays.copyOf(values, n));
  }
}
