package io.sparkata.lab.gpu;

import io.sparkata.blocks.PackedBlock;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;

/** Compares a GPU's kernels with the CPU's on random blocks of many shapes. */
final class KernelChecks {
  private static final int CLASSES = 5;

  /** Widths on both sides of each point where another kernel is chosen, and two common ones. */
  private static final int[] WIDTHS = {
    1, 31, 32, 33, 65, 100, 129, 257, 513, 1000, 1024, 1025, 2049, 4097, 8192, 8193, 20_000
  };

  private static final int[] QUICK_WIDTHS = {1, 33, 1025};

  /** The most values of a block: 160 MB. */
  private static final double MOST_VALUES = 20e6;

  private static final List<Loss> LOSSES =
      List.of(
          new Loss("logistic", new LogisticGradient(), 2),
          new Loss("least-squares", new LeastSquaresGradient(), 2),
          new Loss("hinge", new HingeGradient(), 2),
          new Loss("multinomial", new LogisticGradient(CLASSES), CLASSES));

  private static final List<String> LAYOUTS = List.of("dense", "sparse", "dictionary");

  private final boolean isSingle;
  private final String precision;
  private final int[] widths;
  private final int mostRows;
  private final RandomBlocks random = new RandomBlocks(1);

  private record Loss(String name, Gradient gradient, int classes) {}

  /** Rows of one block; all of them if none are chosen. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(PackedBlock block, int[] chosen, int count) {
    double addBy(GradientKernel kernel, double[] weights, double[] sum) {
      return kernel.add(block, chosen, /* first= */ 0, count, weights, sum);
    }
  }

  /**
   * One kernel over all shapes. An error is the difference from the CPU's sum. It is divided by the
   * number of rows plus one and by the square root of the number of weights, since roundings add
   * up. The error of the loss, which may be a squared margin, is divided by the number of weights.
   *
   * @param rows "all" or "sample"
   * @param shapes number of shapes computed
   * @param largestError the largest error over all shapes, of gradient or loss
   * @param allowedError the check fails beyond it
   * @param width of the shape with the largest error
   * @param count number of its rows
   */
  record Result(
      String precision,
      String gradient,
      String layout,
      String rows,
      int shapes,
      double largestError,
      double allowedError,
      int width,
      int count,
      boolean passed) {}

  /** Of a device with that precision; {@code quick} takes few shapes and tiny blocks. */
  KernelChecks(boolean isSingle, boolean quick) {
    this.isSingle = isSingle;
    precision = isSingle ? "single" : "double";
    widths = quick ? QUICK_WIDTHS : WIDTHS;
    mostRows = quick ? 12 : 30_000;
  }

  /** Checks all kernels; progress goes to standard error. */
  void run(Consumer<Result> results) {
    for (Loss loss : LOSSES) {
      System.err.printf("Checking %s, %s precision ...%n", loss.name, precision);
      // One device per kernel: it holds blocks until they are garbage-collected.
      try (CheckedDevice device = new CheckedDevice(isSingle)) {
        for (String layout : LAYOUTS) {
          results.accept(check(device, loss, layout, /* isSample= */ false));
          results.accept(check(device, loss, layout, /* isSample= */ true));
        }
      }
    }
  }

  private Result check(CheckedDevice device, Loss loss, String layout, boolean isSample) {
    return Arrays.stream(widths)
        .mapToObj(width -> check(device, loss, layout, isSample, width))
        .max(Comparator.comparingDouble(Result::largestError)) // NaN is larger than all
        .orElseThrow();
  }

  private Result check(
      CheckedDevice device, Loss loss, String layout, boolean isSample, int width) {
    int rows = rows(width);
    List<Part> parts = // for one launch
        List.of(
            part(layout, rows, width, loss.classes, isSample),
            part(layout, (rows + 2) / 2, width, loss.classes, isSample));
    int count = parts.stream().mapToInt(Part::count).sum();
    double error = error(device, loss, parts, width, count);
    double allowed = isSingle ? 1e-6 : 1e-14;
    return new Result(
        precision,
        loss.name,
        layout,
        isSample ? "sample" : "all",
        widths.length,
        error,
        allowed,
        width,
        count,
        error <= allowed);
  }

  /** A number of rows from 2 to the most, with a uniform logarithm. */
  private int rows(int width) {
    double most = Math.min(mostRows, MOST_VALUES / width);
    double power = (random.numbers(1)[0] + 1) / 2;
    return (int) Math.round(2 * Math.pow(most / 2, power));
  }

  private Part part(String layout, int rows, int width, int classes, boolean isSample) {
    int[] chosen = isSample ? random.sample(rows, Math.max(2, rows / 3)) : null;
    int nonZeros = (width + 2) / 3;
    PackedBlock block =
        switch (layout) {
          case "dense" -> random.dense(rows, width, classes);
          case "sparse" -> random.sparse(rows, width, nonZeros, classes);
          default -> random.coded(rows, width, nonZeros, classes, /* different= */ 200);
        };
    return new Part(block, chosen, isSample ? chosen.length : rows);
  }

  private double error(CheckedDevice device, Loss loss, List<Part> parts, int width, int count) {
    double[] weights = random.numbers((long) width * (loss.classes - 1));
    double[] expected = weights.clone();
    double[] actual = weights.clone();
    double expectedLoss = 0;
    double actualLoss = 0;
    GradientKernel cpu = Kernels.of(loss.gradient);
    GradientKernel kernel = device.kernel(loss.gradient);
    for (Part part : parts) {
      expectedLoss += part.addBy(cpu, weights, expected);
      actualLoss += part.addBy(kernel, weights, actual);
    }
    actualLoss += kernel.finish(weights, actual);
    device.requireComputed(parts.size());
    double scale = (1.0 + count) * Math.sqrt(weights.length);
    double error = Math.abs(actualLoss - expectedLoss) / scale / Math.sqrt(weights.length);
    for (int i = 0; i < weights.length; i++) {
      error = Math.max(error, Math.abs(actual[i] - expected[i]) / scale); // NaN stays NaN
    }
    return error;
  }
}
