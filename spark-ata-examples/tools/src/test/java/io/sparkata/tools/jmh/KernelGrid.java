package io.sparkata.tools.jmh;

import static io.sparkata.tools.jmh.KernelCase.IN_CACHE;
import static io.sparkata.tools.jmh.KernelCase.IN_DEVICE_MEMORY;
import static io.sparkata.tools.jmh.KernelCase.IN_MEMORY;
import static io.sparkata.tools.jmh.KernelCase.ONE_BLOCK;
import static io.sparkata.tools.jmh.KernelCase.coded;
import static io.sparkata.tools.jmh.KernelCase.dense;
import static io.sparkata.tools.jmh.KernelCase.sparse;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The cases that {@code scripts/ata bench-kernels} measures. */
final class KernelGrid {
  /** Of an Intel Xeon's core. */
  private static final long SECOND_LEVEL_CACHE = 2 << 20;

  private KernelGrid() {}

  /** Four minutes' worth. */
  static List<KernelCase> quick() {
    return List.of(
        dense("logistic", 100, 1, IN_MEMORY),
        dense("logistic", 100, 0.1, IN_MEMORY),
        dense("logistic", 100, 1, IN_CACHE / 4),
        dense("logistic", 1000, 1, IN_MEMORY),
        dense("multinomial", 100, 1, IN_MEMORY),
        sparse("logistic", 10_000, 100, 1, IN_MEMORY),
        sparse("logistic", 10_000, 100, 0.1, IN_MEMORY));
  }

  /** For the GPU's kernels. */
  static List<KernelCase> gpu() {
    return Stream.of(
            dense("logistic", 100, 1, IN_DEVICE_MEMORY),
            dense("logistic", 1000, 1, IN_DEVICE_MEMORY),
            dense("logistic", 1000, 1, ONE_BLOCK),
            dense("logistic", 1000, 0.1, IN_DEVICE_MEMORY),
            dense("logistic", 10_000, 1, IN_DEVICE_MEMORY),
            dense("multinomial", 100, 1, IN_DEVICE_MEMORY),
            sparse("logistic", 10_000, 100, 1, IN_DEVICE_MEMORY))
        .map(KernelCase::onGpu)
        .toList();
  }

  /**
   * Dense rows, and sparse ones of 100 non-zeros, for kernel and MLlib's gradient interleaved: half
   * as many, since each side's drive the other's out of cache.
   */
  static List<KernelCase> inTurn() {
    List<KernelCase> cases = new ArrayList<>();
    for (int width : new int[] {100, 300, 1000, 3000}) {
      for (double fraction : new double[] {1, 0.1}) {
        cases.add(dense("logistic", width, fraction, IN_MEMORY / 2));
      }
    }
    for (int width : new int[] {1000, 10_000, 50_000, 262_145, 1_000_000}) {
      for (double fraction : new double[] {1, 0.1}) {
        cases.add(sparse("logistic", width, 100, fraction, IN_MEMORY / 2));
        cases.add(coded("logistic", width, 100, fraction, IN_MEMORY / 2));
      }
    }
    return cases;
  }

  /**
   * All of d = 10 to 10,000 (sparse rows' to 1,000,000), rows in and out of cache, fractions of
   * 0.01 to 1 and densities of 0.1 % to 100 % for the logistic kernel; a few of them for the
   * others. Left out: samples without a row, and what does not fit into cache with its weights.
   */
  static List<KernelCase> full() {
    List<KernelCase> cases = new ArrayList<>();
    for (long bytes : new long[] {IN_MEMORY, IN_CACHE}) {
      for (double fraction : new double[] {1, 0.1, 0.01}) {
        for (int width = 10; width <= 10_000; width *= 10) {
          cases.add(dense("logistic", width, fraction, bytes));
        }
        for (int nonZeros : new int[] {10, 100, 1000}) {
          for (int width = nonZeros; width <= 1000 * nonZeros; width *= 10) {
            cases.add(sparse("logistic", width, nonZeros, fraction, bytes));
          }
        }
      }
      for (double fraction : new double[] {1, 0.1}) {
        for (int width = 100; width <= 100_000; width *= 10) {
          cases.add(coded("logistic", width, 100, fraction, bytes));
        }
        for (String kernel : List.of("least-squares", "hinge", "multinomial", "row-by-row")) {
          cases.add(dense(kernel, 100, fraction, bytes));
          cases.add(dense(kernel, 1000, fraction, bytes));
          cases.add(sparse(kernel, 10_000, 100, fraction, bytes));
        }
      }
    }
    cases.removeIf(next -> next.sampledRows() == 0);
    cases.removeIf(next -> next.bytes() <= IN_CACHE && !fitsIntoCache(next));
    return cases;
  }

  /** Rows, weights and sum. */
  private static boolean fitsIntoCache(KernelCase next) {
    return next.bytes() + 2L * Double.BYTES * next.weights() <= SECOND_LEVEL_CACHE;
  }

  /** Losses of spark.ml on its blocks: dense and sparse rows, and two cases with weights. */
  static List<BlockCase> blocks() {
    List<BlockCase> cases = new ArrayList<>();
    for (String loss : List.of("logistic", "least-squares", "hinge")) {
      for (int width : new int[] {20, 100, 1000}) {
        cases.add(new BlockCase(loss, width, /* nonZeros= */ 0, /* isWeighted= */ false));
      }
      for (int nonZeros : new int[] {10, 100}) {
        cases.add(new BlockCase(loss, 1000, nonZeros, /* isWeighted= */ false));
        cases.add(new BlockCase(loss, 100_000, nonZeros, /* isWeighted= */ false));
      }
    }
    cases.add(new BlockCase("logistic", 1000, /* nonZeros= */ 30, /* isWeighted= */ false));
    cases.add(new BlockCase("logistic", 100, /* nonZeros= */ 0, /* isWeighted= */ true));
    cases.add(new BlockCase("logistic", 1000, /* nonZeros= */ 10, /* isWeighted= */ true));
    return cases;
  }
}
