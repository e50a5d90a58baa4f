package io.sparkata.cuda;

import static io.sparkata.cuda.DeviceChecks.GRADIENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import io.sparkata.kernel.Kernels;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The source of the GPU's kernels, compiled for the host by g++ and compared with the CPU's
 * kernels. Skipped if there is no g++.
 */
@Tag("g++")
@Timeout(300)
class CudaSourceTest {
  private static final int CASES = 20;

  private static Process host;

  /** The kinds of storage of the rows, by their numbers in host_gradients.cc. */
  private enum Kind {
    DENSE_BY_WARP(0),
    DENSE_BY_BLOCK(1),
    SPARSE(2),
    DENSE_WIDE(3),
    CLASSES_DENSE(4),
    CLASSES_SPARSE(5);

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    boolean isSparse() {
      return this == SPARSE || this == CLASSES_SPARSE;
    }

    boolean isByClass() {
      return this == CLASSES_DENSE || this == CLASSES_SPARSE;
    }
  }

  @BeforeAll
  static void compile() throws IOException, InterruptedException {
    assumeTrue(HostCompiler.isThere(), HostCompiler.MISSING);
    Path program = HostCompiler.compile("host_gradients.cc", "host_gradients");
    host =
        new ProcessBuilder(program.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    if (host != null) {
      host.getOutputStream().close();
      assertThat(host.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(host.exitValue()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void kernels_anyPrecision_equalThoseOfTheCpuToItsRounding(Kind kind) {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < CASES; i++) {
      check(kind, /* isSingle= */ false, random, 1e-14);
      check(kind, /* isSingle= */ true, random, 1e-6);
    }
  }

  /** Rows that are infinite, NaN, or fitted to the last bit give the CPU's results. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void kernels_notFinite_showAsOnTheCpu(Kind kind) {
    double[] special = {0, 1, -1, 1000, -1000, Double.POSITIVE_INFINITY, Double.NaN, 1e300};
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < CASES; i++) {
      int width = 1 + random.nextInt(3);
      double[] labels = random.ints(6, 0, 2).asDoubleStream().toArray();
      double[] values = random.ints(6L * width, 0, 8).mapToDouble(k -> special[k]).toArray();
      int[] starts = IntStream.rangeClosed(0, 6).map(row -> row * width).toArray();
      int[] indices = IntStream.range(0, values.length).map(k -> k % width).toArray();
      PackedBlock block =
          kind.isSparse()
              ? new SparseBlock(1, labels, width, starts, indices, values)
              : new DenseBlock(1, labels, width, values);
      int classes = kind.isByClass() ? 1 + random.nextInt(3) : 1;
      double[] weights = random.doubles((long) width * classes, -1, 1).toArray();
      if (kind.isByClass() && random.nextBoolean()) {
        weights[random.nextInt(weights.length)] = Double.POSITIVE_INFINITY;
      }
      int loss = random.nextInt(GRADIENTS.size());
      Gradient gradient =
          kind.isByClass() ? new LogisticGradient(classes + 1) : GRADIENTS.get(loss);
      double[] expected = new double[weights.length];
      double expectedLoss = Kernels.of(gradient).add(block, null, 0, 6, weights, expected);
      int[] head = {
        kind.number, 0, 8, 2, 32, loss, 6, width, values.length, 0, 0, 6, 2, classes, 3
      };
      double[] actual = ask(head, block, new int[0], weights);
      String what = kind + " " + gradient + " " + Arrays.toString(values);
      if (kind.isByClass() && !areFinite(block, weights)) {
        assertThat(actual[weights.length]).as(what + " is left to the CPU").isNaN();
        continue;
      }
      assertSame(actual[weights.length], expectedLoss, what);
      for (int column = 0; column < weights.length; column++) {
        assertSame(actual[column], expected[column], what + " at " + column);
      }
    }
  }

  private static boolean areFinite(PackedBlock block, double[] weights) {
    return IntStream.range(0, block.rows())
        .mapToObj(row -> block.features(row).toArray())
        .allMatch(
            row ->
                IntStream.range(0, weights.length)
                    .allMatch(i -> Double.isFinite(row[i % row.length] * weights[i])));
  }

  private static void assertSame(double actual, double expected, String what) {
    if (Double.isFinite(expected)) {
      assertThat(actual).as(what).isCloseTo(expected, within(1e-12 * (1e4 + Math.abs(expected))));
    } else {
      assertThat(actual).as(what).isEqualTo(Double.valueOf(expected));
    }
  }

  private static void check(Kind kind, boolean isSingle, SplittableRandom random, double error) {
    int classes = kind.isByClass() ? 1 + random.nextInt(40) : 1; // without the first
    int loss = random.nextInt(GRADIENTS.size());
    Gradient gradient = kind.isByClass() ? new LogisticGradient(classes + 1) : GRADIENTS.get(loss);
    int threads = 32 * (1 + random.nextInt(3));
    int blocks = 1 + random.nextInt(3);
    int features = kind == Kind.DENSE_BY_BLOCK ? 8 << random.nextInt(3) : 1 << random.nextInt(6);
    int most =
        kind == Kind.DENSE_WIDE
            ? 1000
            : kind.isByClass() ? 100 : features * (kind == Kind.DENSE_BY_BLOCK ? threads : 32);
    int width = 1 + random.nextInt(most);
    int all = 1 + random.nextInt(40);
    PackedBlock block = block(kind.isSparse(), all, width, classes, random);
    boolean isChosen = random.nextBoolean();
    int first = isChosen ? 0 : random.nextInt(all);
    int[] rows =
        isChosen
            ? IntStream.range(0, all).filter(row -> random.nextInt(3) > 0).toArray()
            : IntStream.range(first, all).toArray();
    double[] weights = random.doubles((long) width * classes, -1, 1).toArray();

    double[] expected = new double[weights.length];
    double expectedLoss =
        Kernels.of(gradient)
            .add(block, isChosen ? rows : null, first, rows.length, weights, expected);

    int[] head = {
      kind.number,
      isSingle ? 1 : 0,
      features,
      blocks,
      threads,
      loss,
      all,
      width,
      block instanceof SparseBlock sparse ? sparse.values().length : 0,
      isChosen ? 1 : 0,
      first,
      rows.length,
      kind.isSparse() || kind.isByClass() ? 1 + random.nextInt(blocks) : blocks,
      classes,
      1 + random.nextInt(5)
    };
    double[] actual = ask(head, block, isChosen ? rows : new int[0], weights);
    double size = rows.length * (1.0 + width); // of the terms: values and weights are below 1
    boolean isSquared = gradient instanceof LeastSquaresGradient;
    String what = kind + " " + gradient + ", " + Arrays.toString(head);
    assertThat(actual[weights.length])
        .as(what)
        .isCloseTo(expectedLoss, within(error * size * (isSquared ? width : 1)));
    assertThat(Arrays.copyOf(actual, weights.length))
        .as(what)
        .containsExactly(expected, within(error * size));
  }

  private static PackedBlock block(
      boolean isSparse, int all, int width, int classes, SplittableRandom random) {
    double[] labels = random.ints(all, 0, classes + 1).asDoubleStream().toArray();
    if (!isSparse) {
      return new DenseBlock(1, labels, width, random.doubles((long) all * width, -1, 1).toArray());
    }
    int[] starts = new int[all + 1];
    int[] indices = new int[all * width];
    for (int row = 0; row < all; row++) {
      int at = starts[row];
      for (int column = 0; column < width; column++) {
        if (random.nextInt(3) == 0) {
          indices[at++] = column;
        }
      }
      starts[row + 1] = at;
    }
    int stored = starts[all];
    return new SparseBlock(
        1,
        labels,
        width,
        starts,
        Arrays.copyOf(indices, stored),
        random.doubles(stored, -1, 1).toArray());
  }

  private static double[] rowsOf(DenseBlock block) {
    return Arrays.copyOfRange(block.values(), DenseBlock.START, block.values().length);
  }

  private static double[] ask(int[] head, PackedBlock block, int[] rows, double[] weights) {
    double[] labels = new double[block.rows()];
    block.copyLabels(0, labels.length, labels);
    double[] values =
        block instanceof SparseBlock sparse ? sparse.values() : rowsOf((DenseBlock) block);
    int[] indices = block instanceof SparseBlock sparse ? sparse.indices() : new int[0];
    int[] starts = block instanceof SparseBlock sparse ? sparse.rowStarts() : new int[0];
    int ints = head.length + indices.length + starts.length + rows.length;
    ByteBuffer input =
        ByteBuffer.allocate(
                Integer.BYTES * ints
                    + Double.BYTES * (values.length + labels.length + weights.length))
            .order(ByteOrder.nativeOrder());
    Arrays.stream(head).forEach(input::putInt);
    Arrays.stream(values).forEach(input::putDouble);
    Arrays.stream(indices).forEach(input::putInt);
    Arrays.stream(starts).forEach(input::putInt);
    Arrays.stream(labels).forEach(input::putDouble);
    Arrays.stream(rows).forEach(input::putInt);
    Arrays.stream(weights).forEach(input::putDouble);
    try {
      OutputStream toHost = host.getOutputStream();
      toHost.write(input.array());
      toHost.flush();
      InputStream fromHost = host.getInputStream();
      byte[] bytes = fromHost.readNBytes(Double.BYTES * (weights.length + 1));
      double[] result = new double[weights.length + 1];
      ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asDoubleBuffer().get(result);
      return result;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
