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
   * @param request one that fits the device
   * @param block the request's, on the device
   * @param workspace used by no other thread
   * @return the gradient, as long as the weights, followed by a loss per block of threads; valid
   *     until the workspace is used again
   * @throws CudaException if the driver fails or has no memory for the workspace
   */
  DoubleBuffer run(GradientRequest request, DeviceBlock block, Workspace workspace) {
    return new Launch(request, block, workspace).run();
  }

  private LaunchShape shapeOf(GradientRequest request) {
    return request.isMultinomial()
        ? LaunchShape.ofClasses(
            request.block(), request.count(), multiprocessors, isSingle, request.weights().length)
        : LaunchShape.of(request.block(), request.count(), multiprocessors, isSingle);
  }

  /** One computation. */
  private final class Launch {
    private final GradientRequest request;
    private final DeviceBlock block;
    private final Workspace workspace;
    private final LaunchShape shape;
    private final int weightCount;

    /** The number of classes minus 1; 1 for losses of one margin. */
    private final int classes;

    Launch(GradientRequest request, DeviceBlock block, Workspace workspace) {
      this.request = request;
      this.block = block;
      this.workspace = workspace;
      shape = shapeOf(request);
      weightCount = request.weights().length;
      classes = weightCount / request.block().width();
    }

    DoubleBuffer run() {
      boolean hasFloatWeights = isSingle && !block.isSparse() && !request.isMultinomial();
      long model = workspace.model.of(request.weights(), hasFloatWeights);
      long chosen = copyChosen();
      long partialBytes = (long) shape.copies() * weightCount * Double.BYTES;
      long partials = workspace.partials.ofBytes(partialBytes);
      int resultBytes = Math.multiplyExact(weightCount + shape.blocks(), Double.BYTES);
      long result = workspace.result.ofBytes(resultBytes);
      long losses = result + (long) weightCount * Double.BYTES;
      ByteBuffer pinned = workspace.pinned(resultBytes);
      driver.clear(partials, partialBytes, workspace.stream());
      driver.clear(losses, (long) shape.blocks() * Double.BYTES, workspace.stream());
      if (request.isMultinomial()) {
        launchClasses(model, chosen, partials, losses);
      } else {
        launchMargins(model, chosen, partials, losses);
      }
      launchSum(partials, result);
      driver.copyOut(pinned, result, workspace.stream());
      driver.synchronize(workspace.stream());
      return pinned.asDoubleBuffer();
    }

    /** Returns 0 if the request has no positions. */
    private long copyChosen() {
      if (request.rows() == null) {
        return 0;
      }
      long chosen = workspace.rows.ofBytes((long) request.count() * Integer.BYTES);
      workspace.staging().copy(request.rows(), request.count(), chosen);
      return chosen;
    }

    private void launchMargins(long model, long chosen, long partials, long losses) {
      int loss = request.loss();
      List<Object> rows = rows(chosen, /* done= */ 0, request.count());
      if (block.isSparse()) {
        launch(
            shape.kernel(),
            shape.blocks(),
            List.of(block.values(), block.indices(), block.starts(), block.labels()),
            rows,
            List.of(shape.copies(), model, loss, partials, losses));
      } else {
        launch(
            shape.kernel(),
            shape.blocks(),
            List.of(block.values(), block.labels()),
            rows,
            List.of(model, loss, partials, losses));
      }
    }

    /** Computes the factors of as many rows as fit, then their sum, and repeats. */
    private void launchClasses(long model, long chosen, long partials, long losses) {
      int count = request.count();
      long most = Math.max(1, FACTOR_BYTES / Double.BYTES / classes);
      int rowsAtOnce = (int) Math.min(count, most);
      long factors = workspace.factors.ofBytes((long) rowsAtOnce * classes * Double.BYTES);
      for (int done = 0; done < count; done += rowsAtOnce) {
        List<Object> rows = rows(chosen, done, Math.min(rowsAtOnce, count - done));
        launch(
            LaunchShape.factorsKernel(isSingle),
            shape.blocks(),
            List.of(block.values(), block.indices(), block.starts(), block.labels()),
            rows,
            List.of(classes, model, factors, losses));
        if (block.isSparse()) {
          launch(
              shape.kernel(),
              shape.blocks(),
              List.of(block.values(), block.indices(), block.starts()),
              rows,
              List.of(classes, shape.copies(), factors, partials));
        } else {
          launch(
              shape.kernel(),
              shape.copies(),
              List.of(block.values()),
              rows,
              List.of(classes, factors, partials));
        }
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

    /** The rows as arguments: {@code count} rows of the request after the first {@code done}. */
    private List<Object> rows(long chosen, int done, int count) {
      long positions = chosen == 0 ? 0 : chosen + (long) done * Integer.BYTES;
      return List.of(positions, request.first() + done, count, request.block().width());
    }

    private void launch(String kernel, int blocks, List<?> ofBlock, List<?> rows, List<?> others) {
      driver.launch(
          function(kernel),
          blocks,
          shape.threads(),
          shape.sharedBytes(),
          workspace.stream(),
          Stream.of(ofBlock, rows, others).flatMap(List::stream).toArray());
    }

    private long function(String kernel) {
      return functions.computeIfAbsent(kernel, wanted -> driver.function(module, wanted));
    }
  }
}
