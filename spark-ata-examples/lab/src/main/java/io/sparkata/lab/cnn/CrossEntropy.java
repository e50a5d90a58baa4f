package io.sparkata.lab.cnn;

/** Softmax and cross-entropy. */
final class CrossEntropy {
  private CrossEntropy() {}

  /**
   * Returns the mean over samples of -ln softmax(scores)[label].
   *
   * @param gradient overwritten with the gradient of the mean with respect to the scores
   */
  static double meanLoss(float[][] scores, int[] labels, float[][] gradient) {
    int samples = scores.length;
    double sum = 0;
    for (int s = 0; s < samples; s++) {
      float[] row = scores[s];
      float largest = row[argmax(row)];
      double total = 0;
      for (float score : row) {
        total += Math.exp(score - largest);
      }
      for (int c = 0; c < row.length; c++) {
        double probability = Math.exp(row[c] - largest) / total;
        gradient[s][c] = (float) ((probability - (c == labels[s] ? 1 : 0)) / samples);
      }
      sum += Math.log(total) - (row[labels[s]] - largest);
    }
    return sum / samples;
  }

  static int argmax(float[] row) {
    int best = 0;
    for (int c = 1; c < row.length; c++) {
      if (row[c] > row[best]) {
        best = c;
      }
    }
    return best;
  }
}
