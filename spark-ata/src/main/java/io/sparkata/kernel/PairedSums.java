package io.sparkata.kernel;

/**
 * The weights, each beside its feature's sum. With more features than a second-level cache has room
 * for, each non-zero of a sparse row waits twice, for its weight and for its sum; here the wait for
 * the weight brings the sum along.
 */
final class PairedSums {
  /** With fewer both fit into a second-level cache of 2 MiB. */
  static final int FEWEST_WEIGHTS = 1 << 17;

  /** Tasks on all processors at once take a sixth of the heap. */
  private static final int HEAP_PART = 6;

  /** Weight j at 2j, its sum at 2j + 1. */
  private final double[] pairs;

  PairedSums(double[] weights) {
    pairs = new double[2 * weights.length];
    for (int j = 0; j < weights.length; j++) {
      pairs[2 * j] = weights[j];
    }
  }

  /** Whether they are faster. Pairing a weight costs what two non-zeros gain. */
  static boolean pay(int weights, long nonZeros) {
    return nonZeros >= 2L * weights;
  }

  /** Whether a heap of so many bytes has room for those of a task on each processor. */
  static boolean fit(int weights, long heapBytes, int processors) {
    return 2L * Double.BYTES * weights <= heapBytes / HEAP_PART / processors;
  }

  /** Weight j at 2j, its sum at 2j + 1. */
  double[] pairs() {
    return pairs;
  }

  /** Adds the sums to {@code gradient}. */
  void addTo(double[] gradient) {
    for (int j = 0; j < gradient.length; j++) {
      gradient[j] += pairs[2 * j + 1];
    }
  }
}
