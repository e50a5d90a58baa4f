package io.sparkata.cuda;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Launches the kernels of gradients.cu: first those of a loss, which compute partial gradients,
 * then the one that adds these up. Thread-safe; the device's context must be current.
 */
final class GradientLauncher {
  /** Limit for the factors of multinomial losses. Rows are computed in batches that fit. */
  private static final long FACTOR_BYTES = 64L << 20;

  private final CudaDriver driver;
  private final long module;
  private final int multiprocessors;
  private final boolean isSingle;
  private final Map<String, Long> functions = new ConcurrentHashMap<>();

  /**
   * @param module of gradients.cu
   * @param isSingle whether values are floats
   */
  GradientLauncher(CudaDriver driver, long module, int multiprocessors, boolean isSingle) {
    this.driver = driver;
    this.module = module;
    this.multiprocessors = multiprocessors;
    this.isSingle = isSingle;
  }

  /**
   * Computes and waits for the result. If it throws, device work may still be running.
   *
   * @param blocks those of the request's parts, on the device
   * @param workspace used by no other thread
   * @return the gradient, as long as the weights, followed by a loss per block of threads; valid
   *     until the workspace is used again
   * @throws CudaException if the driver fails or has no memory for the workspace
   */
  DoubleBuffer run(GradientRequest request, List<DeviceBlock> blocks, Workspace workspace) {
    return new Launch(request, blocks, workspace).run();
  }

  /** One computation. */
  private final class Launch {
    private final GradientRequest request;
    private final List<DeviceBlock> blocks;
    private final Workspace workspace;
    private final LaunchShape shape;
    private final int count;
    private final int width;
    private final int weightCount;

    Launch(GradientRequest request, List<DeviceBlock> blocks, Workspace workspace) {
      this.request = request;
      this.blocks = blocks;
      this.workspace = workspace;
      shape =
          request.isMultinomial()
              ? LaunchShape.ofClasses(request, multiprocessors, isSingle)
              : LaunchShape.of(request, multiprocessors, isSingle);
      count = request.count();
      width = request.layout().width();
      weightCount = request.weights().length;
    }

    DoubleBuffer run() {
      boolean isSparse = request.layout().isSparse();
      boolean hasFloatWeights = isSingle && !isSparse && !request.isMultinomial();
      long model = workspace.model.of(request.weights(), hasFloatWeights);
      List<Object> rows = copyTable();
      long partialBytes = (long) shape.copies() * weightCount * Double.BYTES;
      long partials = workspace.partials.ofBytes(partialBytes);
      int resultBytes = Math.multiplyExact(weightCount + shape.blocks(), Double.BYTES);
      long result = workspace.result.ofBytes(resultBytes);
      long losses = result + (long) weightCount * Double.BYTES;
      ByteBuffer pinned = workspace.pinned(resultBytes);
      driver.clear(partials, partialBytes, workspace.stream());
      driver.clear(losses, (long) shape.blocks() * Double.BYTES, workspace.stream());
      if (request.isMultinomial()) {
        launchClasses(rows, model, partials, losses);
      } else {
        List<Object> copies = isSparse ? List.of(shape.copies()) : List.of();
        List<Object> sums = List.of(model, request.loss(), partials, losses);
        launch(shape.kernel(), shape.blocks(), rows, List.of(count, width), copies, sums);
      }
      launchSum(partials, result);
      driver.copyOut(pinned, result, workspace.stream());
      driver.synchronize(workspace.stream());
      return pinned.asDoubleBuffer();
    }

    /** Returns the first three arguments of each kernel: the parts and the rows. */
    private List<Object> copyTable() {
      int[] table = LaunchTable.of(request, blocks);
      long copied = workspace.table.ofBytes((long) table.length * Integer.BYTES);
      workspace.staging().copy(table, table.length, copied);
      long partBytes = (long) blocks.size() * LaunchTable.PART_INTS * Integer.BYTES;
      return List.of(copied, blocks.size(), request.hasPositions() ? copied + partBytes : 0L);
    }

    /** Computes the factors of as many rows as fit, then their sum, and repeats. */
    private void launchClasses(List<Object> rows, long model, long partials, long losses) {
      int classes = weightCount / width; // without the first
      long most = Math.max(1, FACTOR_BYTES / Double.BYTES / classes);
      int rowsAtOnce = (int) Math.min(count, most);
      long factors = workspace.factors.ofBytes((long) rowsAtOnce * classes * Double.BYTES);
      for (int done = 0; done < count; done += rowsAtOnce) {
        List<Object> some = List.of(done, Math.min(rowsAtOnce, count - done), width, classes);
        launch(
            LaunchShape.factorsKernel(isSingle),
            shape.blocks(),
            rows,
            some,
            List.of(model, factors, losses));
        boolean isSparse = request.layout().isSparse();
        launch(
            shape.kernel(),
            isSparse ? shape.blocks() : shape.copies(),
            rows,
            some,
            isSparse ? List.of(shape.copies()) : List.of(),
            List.of(factors, partials));
      }
    }

    private void launchSum(long partials, long result) {
      driver.launch(
          function("sum_partials"),
          (weightCount + LaunchShape.WARP - 1) / LaunchShape.WARP,
          LaunchShape.SUM_THREADS,
          LaunchShape.SUM_THREADS * Double.BYTES,
          workspace.stream(),
          partials,
          shape.copies(),
          weightCount,
          result);
    }

    private void launch(String kernel, int blocks, List<?>... arguments) {
      driver.launch(
          function(kernel),
          blocks,
          shape.threads(),
          shape.sharedBytes(),
          workspace.stream(),
          Stream.of(arguments).flatMap(List::stream).toArray());
    }

    private long function(String kernel) {
      return functions.computeIfAbsent(kernel, wanted -> driver.function(module, wanted));
    }
  }
}
