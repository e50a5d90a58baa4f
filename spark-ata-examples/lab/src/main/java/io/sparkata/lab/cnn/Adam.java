package io.sparkata.lab.cnn;

/** Adam's rates for one update. */
record Adam(float rate, float epsilon) {
  private static final float FIRST_DECAY = 0.9f;
  private static final float SECOND_DECAY = 0.999f;
  private static final double EPSILON = 1e-8;

  /** For the given update, from 1: the bias corrections are folded into rate and epsilon. */
  static Adam atUpdate(long update, double learningRate) {
    double second = Math.sqrt(1 - Math.pow(SECOND_DECAY, (double) update));
    double rate = learningRate * second / (1 - Math.pow(FIRST_DECAY, (double) update));
    return new Adam((float) rate, (float) (EPSILON * second));
  }

  void step(float[] values, float[] gradient, float[] first, float[] second) {
    for (int j = 0; j < values.length; j++) {
      first[j] = FIRST_DECAY * first[j] + (1 - FIRST_DECAY) * gradient[j];
      second[j] = SECOND_DECAY * second[j] + (1 - SECOND_DECAY) * gradient[j] * gradient[j];
      values[j] -= rate * first[j] / ((float) Math.sqrt(second[j]) + epsilon);
    }
  }
}
