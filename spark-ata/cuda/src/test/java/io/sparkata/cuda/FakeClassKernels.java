package io.sparkata.cuda;

import static io.sparkata.cuda.FakeKernels.add;
import static io.sparkata.cuda.FakeKernels.number;
import static io.sparkata.cuda.FakeKernels.value;

import io.sparkata.cuda.FakeKernels.Arguments;
import io.sparkata.cuda.FakeKernels.Memory;
import io.sparkata.cuda.FakeKernels.Row;
import io.sparkata.cuda.FakeKernels.Rows;

/** The kernels of multinomial losses, by the textbook formulas. */
final class FakeClassKernels {
  private final Memory memory;
  private final boolean isSingle;
  private final int width;
  private final int classes;

  private FakeClassKernels(String name, int blocks, Arguments next, Memory memory) {
    this.memory = memory;
    isSingle = name.endsWith("float");
    boolean isFactors = name.startsWith("class_factors");
    Rows rows = new Rows(next, memory);
    int from = next.number();
    int count = next.number();
    width = next.number();
    classes = next.number();
    int copies = name.startsWith("sparse") ? next.number() : blocks;
    long weights = isFactors ? next.pointer() : 0;
    long factors = next.pointer();
    long sums = next.pointer();
    next.end();
    for (int i = 0; i < count; i++) {
      Row row = rows.row(from + i, width);
      long own = factors + 8L * i * classes;
      if (isFactors) {
        add(sums, i % blocks, toFactors(row, weights, own), memory);
      } else {
        addRow(row, own, sums + 8L * classes * width * (i % blocks % copies));
      }
    }
  }

  static void run(String name, int blocks, Arguments arguments, Memory memory) {
    new FakeClassKernels(name, blocks, arguments, memory);
  }

  private double toFactors(Row row, long weights, long own) {
    double[] margins = new double[classes];
    double powers = 1;
    for (int k = 0; k < classes; k++) {
      for (long at = row.from(); at < row.to(); at++) {
        margins[k] +=
            value(row.values(), at, isSingle, memory)
                * number(weights, (long) k * width + row.column(at, memory), memory);
      }
      powers += Math.exp(margins[k]);
    }
    double loss = Math.log(powers);
    for (int k = 0; k < classes; k++) {
      boolean isLabel = row.label() == k + 1;
      loss -= isLabel ? margins[k] : 0;
      double factor = Math.exp(margins[k]) / powers - (isLabel ? 1 : 0);
      memory.at(own + 8L * k, 8).putDouble(factor);
      loss += Double.isFinite(margins[k]) ? 0 : Double.NaN;
    }
    return loss;
  }

  private void addRow(Row row, long own, long sum) {
    for (int k = 0; k < classes; k++) {
      for (long at = row.from(); at < row.to(); at++) {
        double product = number(own, k, memory) * value(row.values(), at, isSingle, memory);
        add(sum, (long) k * width + row.column(at, memory), product, memory);
      }
    }
  }
}
