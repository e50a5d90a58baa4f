package io.sparkata.lab.cnn;

/**
 * Max pooling of 2 x 2 pixels with ReLU: the largest pixel, or 0 if none is positive. An odd last
 * row or column is pooled alone, so the side is halved and rounded up.
 */
final class MaxPool {
  private static final int NONE = -1;

  private final int side;
  private final int pooledSide;

  MaxPool(int side) {
    this.side = side;
    this.pooledSide = (side + 1) / 2;
  }

  int pooledSide() {
    return pooledSide;
  }

  /**
   * Pools samples of one channel.
   *
   * @param out written from index outOffset on
   * @param winners index in the input of each output's pixel, NONE for a zero; laid out like out
   */
  void pool(float[] in, int samples, float[] out, int[] winners, int outOffset) {
    int o = outOffset;
    for (int s = 0; s < samples; s++) {
      for (int y = 0; y < side; y += 2) {
        int above = (s * side + y) * side;
        int below = y + 1 < side ? above + side : above;
        for (int x = 0; x < side; x += 2) {
          int right = x + 1 < side ? 1 : 0;
          int upper = in[above + x + right] > in[above + x] ? above + x + right : above + x;
          int lower = in[below + x + right] > in[below + x] ? below + x + right : below + x;
          int largest = in[lower] > in[upper] ? lower : upper;
          boolean positive = in[largest] > 0;
          out[o] = positive ? in[largest] : 0;
          winners[o++] = positive ? largest : NONE;
        }
      }
    }
  }

  /** Writes each output's gradient to its winner. Other gradients of the input do not change. */
  void unpool(float[] outGradient, int[] winners, int outOffset, int samples, float[] inGradient) {
    int end = outOffset + samples * pooledSide * pooledSide;
    for (int o = outOffset; o < end; o++) {
      if (winners[o] != NONE) {
        inGradient[winners[o]] = outGradient[o];
      }
    }
  }
}
