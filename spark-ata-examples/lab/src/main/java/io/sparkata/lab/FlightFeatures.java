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
 */
public final class FlightFeatures implements Serializable {

  /** Default number of buckets: 2^18. */
  public static final int DEFAULT_BUCKETS = 1 << 18;

  /** Default for the most fields in one crossed indicator. */
  public static final int DEFAULT_ORDER = 7;

  /** A flight is late (label 1) if it arrives more than this many minutes after schedule. */
  public static final int LATE_MINUTES = 15;

  private static final long serialVersionUID = 1L;

  private static final long GAMMA = 0x9e3779b97f4a7c15L;

  private static final int FIELDS = 7;

  /** Upper ends of the distance bands in miles: the 16-quantiles of the 3,000,000 flights. */
  private static final int[] BAND_MILES = {
    162, 215, 257, 309, 349, 406, 475, 569, 643, 745, 867, 980, 1120, 1437, 1825
  };

  private final int buckets;
  private final int order;
  private final int nonZeros;

  /** Features with {@link #DEFAULT_BUCKETS} and {@link #DEFAULT_ORDER}. */
  public FlightFeatures() {
    this(DEFAULT_BUCKETS, DEFAULT_ORDER);
  }

  /**
   * Features with a chosen hash size and depth.
   *
   * @param buckets a power of two from 2 to 2^30
   * @param order most fields in one indicator, 1 to 7
   */
  public FlightFeatures(int buckets, int order) {
    if (buckets < 2 || Integer.bitCount(buckets) != 1) {
      throw new IllegalArgumentException("buckets must be a power of two, at least 2: " + buckets);
    }
    if (order < 1 || order > FIELDS) {
      throw new IllegalArgumentException("order must be 1 to " + FIELDS + ": " + order);
    }
    this.buckets = buckets;
    this.order = order;
    int sets = 1;
    for (int k = 1, choose = 1; k <= order; k++) {
      choose = choose * (FIELDS - k + 1) / k;
      sets += choose;
    }
    this.nonZeros = sets;
  }

  /** Length of every vector: the buckets and the bias, which has the last index. */
  public int size() {
    return buckets + 1;
  }

  /** Number of indicators of a row, bias included: its non-zeros if no two share a bucket. */
  public int nonZeros() {
    return nonZeros;
  }

  /**
   * The features of one flight.
   *
   * @param origin airport code
   * @param destination airport code
   * @param hour of departure, 0 to 23
   * @param weekday 1 (Monday) to 7
   * @param month 1 to 12
   * @param day of the month, 1 to 31
   * @param distance in miles
   */
  public Vector vector(
      String origin, String destination, int hour, int weekday, int month, int day, int distance) {
    long[] keys = {
      key(1, origin.hashCode()),
      key(2, destination.hashCode()),
      key(3, hour),
      key(4, weekday),
      key(5, month),
      key(6, day),
      key(7, distanceBand(distance))
    };
    int[] indices = new int[nonZeros];
    int n = cross(0L, keys, 0, order, indices, 0);
    indices[n] = buckets;
    Arrays.sort(indices);
    return unit(indices);
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

  private static long key(int field, int value) {
    return ((long) field << 32 | Integer.toUnsignedLong(value)) * GAMMA;
  }

  /** Adds the bucket of every set that extends the set of hash h by 1 to left of keys[from..]. */
  private int cross(long h, long[] keys, int from, int left, int[] out, int at) {
    int n = at;
    for (int i = from; i < keys.length; i++) {
      long hash = mix(h ^ keys[i]);
      out[n++] = bucket(hash);
      if (left > 1) {
        n = cross(hash, keys, i + 1, left - 1, out, n);
      }
    }
    return n;
  }

  private int bucket(long hash) {
    return (int) (hash >>> (Long.numberOfLeadingZeros(buckets) + 1));
  }

  /** Counts each index of a sorted array, and scales the counts to norm 1. */
  private Vector unit(int[] sorted) {
    int[] indices = new int[sorted.length];
    double[] values = new double[sorted.length];
    int n = 0;
    for (int index : sorted) {
      if (n == 0 || indices[n - 1] != index) {
        indices[n++] = index;
      }
      values[n - 1]++;
    }
    double squares = 0.0;
    for (double value : values) {
      squares += value * value;
    }
    double scale = 1.0 / Math.sqrt(squares);
    for (int i = 0; i < n; i++) {
      values[i] *= scale;
    }
    return n == indices.length
        ? new SparseVector(size(), indices, values)
        : new SparseVector(size(), Arrays.copyOf(indices, n), Arrays.copyOf(values, n));
  }
}
