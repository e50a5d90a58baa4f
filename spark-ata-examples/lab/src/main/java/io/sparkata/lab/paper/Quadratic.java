package io.sparkata.lab.paper;

import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * SGD on the paper's quadratic f(x) = x'Ax/2 - b'x with A = tridiag(-1, 2, -1)/4 and b = (-1, 0,
 * ..., 0)/4, from x_0 = (sqrt(d), 0, ..., 0).
 *
 * <p>Each of the B gradients of a round is Ax - b plus normal noise on every coordinate; their mean
 * is drawn at once, with the noise divided by sqrt(B). The path depends only on the round, so all
 * allocators share one path.
 *
 * <p>A x = b has the solution x_i = i/(d+1) - 1, so with e the distance to it f - f* = e'Ae/2: no
 * digits are lost to a difference. Cost per round: O(d).
 */
final class Quadratic {
  static final int DIMENSION = 100;
  static final double STEP = 1e-4;
  static final double NOISE = 1e-3;

  /** e = x - x* by coordinate, with a zero at both ends. */
  private final double[] distance = new double[DIMENSION + 2];

  private final double noise;
  private final SplittableRandom random;

  Quadratic(int batch, double noise, long seed) {
    this.noise = noise / Math.sqrt(batch);
    random = new SplittableRandom(seed);
    for (int i = 1; i <= DIMENSION; i++) {
      distance[i] = 1 - (double) i / (DIMENSION + 1);
    }
    distance[1] += Math.sqrt(DIMENSION);
  }

  /** f(x_k) - f* after each of these rounds, ascending. */
  static NavigableMap<Long, Double> suboptimality(long[] rounds, int batch, long seed) {
    Quadratic path = new Quadratic(batch, NOISE, seed);
    NavigableMap<Long, Double> values = new TreeMap<>();
    long done = 0;
    for (long round : rounds) {
      for (; done < round; done++) {
        path.step();
      }
      values.put(round, path.suboptimality());
    }
    return values;
  }

  void step() {
    double before = 0;
    for (int i = 1; i <= DIMENSION; i++) {
      double own = distance[i];
      double gradient = (2 * own - before - distance[i + 1]) / 4;
      distance[i] = own - STEP * (gradient + noise * random.nextGaussian());
      before = own;
    }
  }

  double suboptimality() {
    double sum = 0;
    for (int i = 1; i <= DIMENSION; i++) {
      sum += distance[i] * (2 * distance[i] - distance[i - 1] - distance[i + 1]) / 4;
    }
    return sum / 2;
  }
}
