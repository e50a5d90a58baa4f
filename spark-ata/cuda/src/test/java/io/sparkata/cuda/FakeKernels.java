package io.sparkata.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Computes what the kernels of gradients.cu compute, row by row, from their arguments. */
final class FakeKernels {
  private FakeKernels() {}

  /** Device memory by pointer. */
  interface Memory {
    ByteBuffer at(long pointer, int bytes);
  }

  /** The kernels in the PTX. */
  static Set<String> names() {
    try (InputStream ptx =
        FakeKernels.class.getResourceAsStream("/io/sparkata/cuda/gradients.ptx")) {
      String text = new String(ptx.readAllBytes(), StandardCharsets.US_ASCII);
      return Pattern.compile("\\.entry (\\w+)\\(")
          .matcher(text)
          .results()
          .map(match -> match.group(1))
          .collect(Collectors.toSet());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  static void run(
      String name, int blocks, int threads, int sharedBytes, Object[] arguments, Memory memory) {
    Arguments next = new Arguments(arguments);
    if (name.equals("sum_partials")) {
      if (sharedBytes < threads * 8) {
        throw new AssertionError(name + " of " + sharedBytes + " bytes");
      }
      sum(next, blocks * 32, memory);
      return;
    }
    if (name.contains("class")) {
      FakeClassKernels.run(name, blocks, next, memory);
      return;
    }
    boolean isSparse = name.startsWith("sparse");
    boolean isSingle = name.contains("float");
    Rows rows = new Rows(next, memory);
    int count = next.number();
    int width = next.number();
    int copies = isSparse ? next.number() : blocks;
    long weights = next.pointer();
    int loss = next.number();
    long partials = next.pointer();
    long losses = next.pointer();
    next.end();
    if (!isSparse) {
      checkShape(name, width, threads, sharedBytes);
    }
    for (int i = 0; i < count; i++) {
      Row row = rows.row(i, width);
      if (row.isSparse() != isSparse) {
        throw new AssertionError(name + " of other rows");
      }
      double margin = 0;
      for (long k = row.from(); k < row.to(); k++) {
        margin +=
            value(row.values(), k, isSingle, memory)
                * value(weights, row.column(k, memory), isSingle && !isSparse, memory);
      }
      double factor = factor(loss, margin, row.label());
      add(losses, i % blocks, loss(loss, margin, row.label()), memory);
      long copy = partials + 8L * width * (i % blocks % copies);
      for (long k = row.from(); k < row.to() && factor != 0; k++) {
        double product = factor * value(row.values(), k, isSingle, memory);
        add(copy, row.column(k, memory), product, memory);
      }
    }
  }

  /** The first three arguments of the kernels: gradients.cu's parts and rows. */
  static final class Rows {
    private static final int PART_BYTES = 40;

    private final Memory memory;
    private final long parts;
    private final int partCount;
    private final long positions;

    Rows(Arguments next, Memory memory) {
      this.memory = memory;
      parts = next.pointer();
      partCount = next.number();
      positions = next.pointer();
    }

    /** The row with this number, by a search through all parts. */
    Row row(int i, int width) {
      for (int p = 0; p < partCount; p++) {
        long part = parts + (long) p * PART_BYTES;
        if (i < memory.at(part + 36, 4).getInt()) {
          int row =
              positions == 0
                  ? i + memory.at(part + 32, 4).getInt()
                  : memory.at(positions + 4L * i, 4).getInt();
          long starts = memory.at(part + 24, 8).getLong();
          return new Row(
              memory.at(part, 8).getLong(),
              number(memory.at(part + 8, 8).getLong(), row, memory),
              memory.at(part + 16, 8).getLong(),
              starts == 0 ? (long) row * width : memory.at(starts + 4L * row, 4).getInt(),
              starts == 0 ? (row + 1L) * width : memory.at(starts + 4L * row + 4, 4).getInt(),
              starts != 0);
        }
      }
      throw new AssertionError("no part has row " + i);
    }
  }

  /** One row: its values are at {@code from .. to} of its block's, and so are its columns. */
  record Row(long values, double label, long indices, long from, long to, boolean isSparse) {
    int column(long k, Memory memory) {
      return isSparse ? memory.at(indices + 4 * k, 4).getInt() : (int) (k - from);
    }
  }

  /** Checks a shape, by the kernel's name. */
  private static void checkShape(String name, int width, int threads, int sharedBytes) {
    if (name.endsWith("_wide")) {
      if (sharedBytes < 2 * threads / 32 * 8) {
        throw new AssertionError(name + " of " + sharedBytes + " bytes");
      }
      return;
    }
    int features = Integer.parseInt(name.substring(name.lastIndexOf('_') + 1));
    boolean isByWarp = name.contains("_warp_");
    int held = features * (isByWarp ? 32 : threads);
    int shared = isByWarp ? 32 * features * 8 : 2 * threads / 32 * 8;
    if (width > held || sharedBytes < shared) {
      throw new AssertionError(name + " of " + width + " features, " + sharedBytes + " bytes");
    }
  }

  private static void sum(Arguments next, int columns, Memory memory) {
    long partials = next.pointer();
    int copies = next.number();
    int width = next.number();
    long gradient = next.pointer();
    next.end();
    for (int column = 0; column < Math.min(columns, width); column++) {
      double sum = 0;
      for (int copy = 0; copy < copies; copy++) {
        sum += number(partials + 8L * copy * width, column, memory);
      }
      memory.at(gradient + 8L * column, 8).putDouble(sum);
    }
  }

  private static double factor(int loss, double margin, double label) {
    double sign = 2 * label - 1;
    return switch (loss) {
      case 0 -> 1 / (1 + Math.exp(-margin)) - label;
      case 1 -> margin - label;
      case 2 -> 1 > sign * margin ? -sign : 0;
      default -> throw new AssertionError("no loss " + loss);
    };
  }

  private static double loss(int loss, double margin, double label) {
    double sign = 2 * label - 1;
    return switch (loss) {
      case 0 -> Math.log1p(Math.exp(label > 0 ? -margin : margin));
      case 1 -> (margin - label) * (margin - label) / 2;
      case 2 -> Math.max(0, 1 - sign * margin);
      default -> throw new AssertionError("no loss " + loss);
    };
  }

  static double value(long values, long k, boolean isSingle, Memory memory) {
    return isSingle ? memory.at(values + 4 * k, 4).getFloat() : number(values, k, memory);
  }

  static double number(long pointer, long at, Memory memory) {
    return memory.at(pointer + 8 * at, 8).getDouble();
  }

  static void add(long pointer, long at, double value, Memory memory) {
    ByteBuffer number = memory.at(pointer + 8 * at, 8);
    number.putDouble(0, number.getDouble(0) + value);
  }

  /** The arguments in order. Another type than expected, too many or too few are errors. */
  static final class Arguments {
    private final Object[] all;
    private int next;

    Arguments(Object[] all) {
      this.all = all;
    }

    long pointer() {
      return (Long) all[next++];
    }

    int number() {
      return (Integer) all[next++];
    }

    void end() {
      if (next != all.length) {
        throw new AssertionError(all.length + " arguments (" + next + ")");
      }
    }
  }
}
