package io.sparkata.cuda;

import io.sparkata.cuda.DeviceBlocks.DeviceBlock;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Launches the kernels of gradients.cu: those of a loss, which make partial gradients, and then the
 * one that adds these up. Thread-safe; the device's context must be current.
 */
final class GradientLauncher {
  /** Of the factors of many classes: rows are computed in as many turns as that takes. */
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
   * Makes room in the workspace, and copies the model and the rows' positions to the device. Leaves
   * nothing begun there, even if it throws.
   *
   * @param request one that fits the device
   * @param block the request's, on the device
   * @param workspace that nobody else uses
   * @throws CudaException if the driver refuses, or has no memory for the workspace
   */
  Launch prepare(GradientRequest request, DeviceBlock block, Workspace workspace) {
    return new Launch(request, block, workspace);
  }

  private long function(String kernel) {
    return functions.computeIfAbsent(kernel, wanted -> driver.function(module, wanted));
  }

  /** One computation: its shape, and where on the device its numbers are. */
  final class Launch {
    private final GradientRequest request;
    private final DeviceBlock block;
    private final Workspace workspace;
    private final LaunchShape shape;
    private final int weightCount;
    private final long model;

    /** 0 where the request has no positions. */
    private final long chosen;

    /** Of many classes: rows that are computed in one turn, and where their factors are. */
    private final int rowsAtOnce;

    private final long factors;
    private final long partialBytes;
    private final long partials;
    private final long result;

    /** A loss of each block of threads: the end of the result. */
    private final long losses;

    private final ByteBuffer pinned;

    private Launch(GradientRequest request, DeviceBlock block, Workspace workspace) {
      this.request = request;
      this.block = block;
      this.workspace = workspace;
      weightCount = request.weights().length;
      shape =
          request.isMultinomial()
              ? LaunchShape.ofClasses(
                  request.block(), request.count(), multiprocessors, isSingle, weightCount)
              : LaunchShape.of(request.block(), request.count(), multiprocessors, isSingle);
      model =
          isSingle && !isSparse() && !request.isMultinomial()
              ? workspace.modelAsFloats(request.weights())
              : workspace.model(request.weights());
      if (request.rows() == null) {
        chosen = 0;
      } else {
        chosen = workspace.rows().ofBytes((long) request.count() * Integer.BYTES);
        workspace.staging().copy(request.rows(), request.count(), chosen);
      }
      long most = Math.max(1, FACTOR_BYTES / Double.BYTES / classes());
      rowsAtOnce = (int) Math.min(request.count(), most);
      factors =
          request.isMultinomial()
              ? workspace.factors().ofBytes((long) rowsAtOnce * classes() * Double.BYTES)
              : 0;
      partialBytes = (long) shape.copies() * weightCount * Double.BYTES;
      partials = workspace.partials().ofBytes(partialBytes);
      int resultBytes = Math.multiplyExact(weightCount + shape.blocks(), Double.BYTES);
      result = workspace.result().ofBytes(resultBytes);
      losses = result + (long) weightCount * Double.BYTES;
      pinned = workspace.pinned(resultBytes);
    }

    /**
     * Computes, and waits for the result. If it throws, something may still be running.
     *
     * @return the gradient, as long as the weights, then a loss of each block of threads; in the
     *     workspace, until it is used again
     * @throws CudaException if the driver refuses
     */
    DoubleBuffer run() {
      long stream = workspace.stream();
      driver.clear(partials, partialBytes, stream);
      driver.clear(losses, (long) shape.blocks() * Double.BYTES, stream);
      if (request.isMultinomial()) {
        launchClasses();
      } else {
        launchMargins();
      }
      launchSum();
      driver.copyOut(pinned, result, stream);
      driver.synchronize(stream);
      return pinned.asDoubleBuffer();
    }

    private void launchMargins() {
      int loss = request.loss();
      List<Object> ofRows = ofRows(0, request.count());
      if (isSparse()) {
        launch(
            shape.kernel(),
            shape.blocks(),
            List.of(block.values(), block.indices(), block.starts(), block.labels()),
            ofRows,
            List.of(shape.copies(), model, loss, partials, losses));
      } else {
        launch(
            shape.kernel(),
            shape.blocks(),
            List.of(block.values(), block.labels()),
            ofRows,
            List.of(model, loss, partials, losses));
      }
    }

    /** The factors of as many rows as there is room for, then their sum, and so on. */
    private void launchClasses() {
      int count = request.count();
      int classes = classes();
      for (int done = 0; done < count; done += rowsAtOnce) {
        List<Object> ofRows = ofRows(done, Math.min(rowsAtOnce, count - done));
        launch(
            LaunchShape.factorsKernel(isSingle),
            shape.blocks(),
            List.of(block.values(), block.indices(), block.starts(), block.labels()),
            ofRows,
            List.of(classes, model, factors, losses));
        if (isSparse()) {
          launch(
              shape.kernel(),
              shape.blocks(),
              List.of(block.values(), block.indices(), block.starts()),
              ofRows,
              List.of(classes, shape.copies(), factors, partials));
        } else {
          launch(
              shape.kernel(),
              shape.copies(),
              List.of(block.values()),
              ofRows,
              List.of(classes, factors, partials));
        }
      }
    }

    private void launchSum() {
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

    /** But the first; 1 where a row has one margin. */
    private int classes() {
      return weightCount / request.block().width();
    }

    private boolean isSparse() {
      return block.starts() != 0;
    }

    /** As the kernels take them: {@code count} of the request's rows, after {@code done} others. */
    private List<Object> ofRows(int done, int count) {
      long positions = chosen == 0 ? 0 : chosen + (long) done * Integer.BYTES;
      return List.of(positions, request.first() + done, count, request.block().width());
    }

    /** With the arguments one after the other: what of the block, which rows, and the rest. */
    private void launch(
        String kernel, int blocks, List<?> ofBlock, List<?> ofRows, List<?> others) {
      driver.launch(
          function(kernel),
          blocks,
          shape.threads(),
          shape.sharedBytes(),
          workspace.stream(),
          Stream.of(ofBlock, ofRows, others).flatMap(List::stream).toArray());
    }
  }
}
