package io.sparkata.cuda;

import static io.sparkata.cuda.FakeKernels.add;
import static io.sparkata.cuda.FakeKernels.number;
import static io.sparkata.cuda.FakeKernels.value;

import io.sparkata.cuda.FakeKernels.Arguments;
import io.sparkata.cuda.FakeKernels.Memory;

/** The kernels of multinomial losses, by the textbook formulas. */
final class FakeClassKernels {
  private final Memory memory;
  private final boolean isSingle;
  private final boolean isFactors;
  private final boolean isSparse;
  private final long values;
  private final long indices;
  private final long starts;
  private final int width;
  private final int classes;

  private FakeClassKernels(String name, int blocks, Arguments next, Memory memory) {
    this.memory = memory;
    isSingle = name.endsWith("float");
    isFactors = name.startsWith("class_factors");
    values = next.pointer();
    boolean hasIndices = isFactors || name.startsWith("sparse");
    indices = hasIndices ? next.pointer() : 0;
    starts = hasIndices ? next.pointer() : 0;
    isSparse = starts != 0;
    long labels = isFactors ? next.pointer() : 0;
    long rows = next.pointer();
    int first = next.number();
    int count = next.number();
    width = next.number();
    classes = next.number();
    int copies = isFactors ? 0 : hasIndices ? next.number() : blocks;
    long weights = isFactors ? next.pointer() : 0;
    long factors = next.pointer();
    long sums = next.pointer();
    next.end();
    for (int i = 0; i < count; i++) {
      int row = rows == 0 ? first + i : memory.at(rows + 4L * i, 4).getInt();
      long own = factors + 8L * i * classes;
      if (isFactors) {
        add(sums, i % blocks, toFactors(row, number(labels, row, memory), weights, own), memory);
      } else {
        addRow(row, own, sums + 8L * classes * width * (i % blocks % copies));
      }
    }
  }

  static void run(String name, int blocks, Arguments arguments, Memory memory) {
    new FakeClassKernels(name, blocks, arguments, memory);
  }

  private double toFactors(int row, double label, long weights, long own) {
    double[] margins = new double[classes];
    double powers = 1;
    for (int k = 0; k < classes; k++) {
      for (long at = from(row); at < to(row); at++) {
        margins[k] +=
            value(values, at, isSingle, memory)
                * number(weights, (long) k * width + column(row, at), memory);
      }
      powers += Math.exp(margins[k]);
    }
    double loss = Math.log(powers);
    for (int k = 0; k < classes; k++) {
      boolean isLabel = label == k + 1;
      loss -= isLabel ? margins[k] : 0;
      double factor = Math.exp(margins[k]) / powers - (isLabel ? 1 : 0);
      memory.at(own + 8L * k, 8).putDouble(factor);
      loss += Double.isFinite(margins[k]) ? 0 : Double.NaN;
    }
    return loss;
  }

  private void addRow(int row, long own, long sum) {
    for (int k = 0; k < classes; k++) {
      for (long at = from(row); at < to(row); at++) {
        double product = number(own, k, memory) * value(values, at, isSingle, memory);
        add(sum, (long) k * width + column(row, at), product, memory);
      }
    }
  }

  private long from(int row) {
    return isSparse ? memory.at(starts + 4L * row, 4).getInt() : (long) row * width;
  }

  private long to(int row) {
    return isSparse ? memory.at(starts + 4L * row + 4, 4).getInt() : (row + 1L) * width;
  }

  private int column(int row, long at) {
    return isSparse ? memory.at(indices + 4 * at, 4).getInt() : (int) (at - (long) row * width);
  }
}
