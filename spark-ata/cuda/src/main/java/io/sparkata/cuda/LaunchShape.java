package io.sparkata.cuda;

/**
 * The kernel of gradients.cu for a request, and the shape of its launch.
 *
 * @param kernel name
 * @param blocks number of blocks of threads, each with its own loss
 * @param threads per block
 * @param sharedBytes shared memory per block
 * @param copies number of partial gradients
 */
record LaunchShape(String kernel, int blocks, int threads, int sharedBytes, int copies) {
  static final int SUM_THREADS = 256;

  static final int WARP = 32;
  private static final int MOST_PER_THREAD = 32;
  private static final int WARP_THREADS = 128;
  private static final int BLOCK_THREADS = 256;
  private static final int FEWEST_PER_BLOCK_THREAD = 8;

  /**
   * Of one thread's place in the blocks that a multiprocessor holds at once, by their registers.
   */
  private static final int BLOCK_FEATURES_AT_ONCE = 32;

  /** For kernels that do not hold rows in registers: enough blocks to overlap many reads. */
  private static final int BLOCKS_PER_MULTIPROCESSOR = 6;

  /** For dense rows that are too long for registers; each block has a partial gradient. */
  private static final int WIDE_BLOCKS_PER_MULTIPROCESSOR = 3;

  /**
   * Limit for the partial gradients of sparse rows, of long dense rows and of many classes. The
   * longer a dense row, the fewer blocks of threads run at once.
   */
  private static final long COPIES_BYTES = 64L << 20;

  /** The shape for the rows of a request. */
  static LaunchShape of(GradientRequest request, int multiprocessors, boolean isSingle) {
    String type = isSingle ? "float" : "double";
    int width = request.layout().width();
    int count = request.count();
    if (request.layout().isSparse()) {
      int most = BLOCKS_PER_MULTIPROCESSOR * multiprocessors;
      int blocks = blocks(count, BLOCK_THREADS / WARP, most);
      int copies = Math.min(multiprocessors, mostCopies(request.nonZeros(), width));
      return new LaunchShape("sparse_" + type, blocks, BLOCK_THREADS, 0, Math.min(blocks, copies));
    }
    if (width <= WARP * MOST_PER_THREAD) {
      int features = perThread(width, WARP, 1);
      int most = warpBlocksPerMultiprocessor(features) * multiprocessors;
      int blocks = blocks(count, WARP_THREADS / WARP, most);
      int sharedBytes = WARP * features * Double.BYTES;
      return new LaunchShape(
          "dense_" + type + "_warp_" + features, blocks, WARP_THREADS, sharedBytes, blocks);
    }
    int sharedBytes = 2 * BLOCK_THREADS / WARP * Double.BYTES;
    if (width > BLOCK_THREADS * MOST_PER_THREAD) {
      int most = Math.min(WIDE_BLOCKS_PER_MULTIPROCESSOR * multiprocessors, mostCopies(width));
      int blocks = blocks(count, 1, most);
      return new LaunchShape("dense_" + type + "_wide", blocks, BLOCK_THREADS, sharedBytes, blocks);
    }
    int features = perThread(width, BLOCK_THREADS, FEWEST_PER_BLOCK_THREAD);
    int blocks = blocks(count, 1, BLOCK_FEATURES_AT_ONCE / features * multiprocessors);
    return new LaunchShape(
        "dense_" + type + "_block_" + features, blocks, BLOCK_THREADS, sharedBytes, blocks);
  }

  /** For multinomial losses: the kernel that computes the rows' factors. */
  static String factorsKernel(boolean isSingle) {
    return "class_factors_" + (isSingle ? "float" : "double");
  }

  /**
   * For multinomial losses: the kernel that adds up the rows. For dense rows it has one block of
   * threads per partial gradient, and the shape's number of blocks computes the factors.
   */
  static LaunchShape ofClasses(GradientRequest request, int multiprocessors, boolean isSingle) {
    String type = isSingle ? "float" : "double";
    int weights = request.weights().length;
    int most = BLOCKS_PER_MULTIPROCESSOR * multiprocessors;
    int blocks = blocks(request.count(), BLOCK_THREADS / WARP, most);
    if (request.layout().isSparse()) {
      int copies = Math.min(blocks, mostCopies(request.nonZeros(), weights));
      return new LaunchShape("sparse_classes_" + type, blocks, BLOCK_THREADS, 0, copies);
    }
    int copies = Math.min(blocks, mostCopies(weights));
    return new LaunchShape("dense_classes_" + type, blocks, BLOCK_THREADS, 0, copies);
  }

  /**
   * The number of blocks that a multiprocessor holds at once, by their registers. More blocks would
   * only add partial gradients. gradients.cu bounds the registers by the same numbers.
   *
   * @param features per lane
   */
  private static int warpBlocksPerMultiprocessor(int features) {
    return switch (features) {
      case 32 -> 2;
      case 16, 8, 4 -> 4;
      case 2 -> 6;
      default -> 8;
    };
  }

  private static int mostCopies(int weights) {
    return (int) Math.max(1, COPIES_BYTES / Double.BYTES / weights);
  }

  /**
   * Each weight of each copy is cleared and added up, even if no row adds to it. So for sparse rows
   * all copies together have no more weights than the rows have non-zeros. Blocks of threads share
   * these copies, with atomics. For dense rows each block has its own copy.
   */
  private static int mostCopies(long nonZeros, int weights) {
    return (int) Math.max(1, Math.min(mostCopies(weights), nonZeros / weights));
  }

  private static int blocks(int rows, int rowsAtOnce, int most) {
    return Math.min(most, (rows + rowsAtOnce - 1) / rowsAtOnce);
  }

  /** The least power of two, from {@code least} on, of features per thread. */
  private static int perThread(int width, int threads, int least) {
    int features = least;
    while (features * threads < width) {
      features *= 2;
    }
    return features;
  }
}
