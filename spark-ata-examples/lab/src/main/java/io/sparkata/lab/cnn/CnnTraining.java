package io.sparkata.lab.cnn;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Trains the network by Adam (Kingma and Ba, arXiv 1412.6980, Algorithm 1) on mini-batches drawn
 * with replacement, as the workers of the paper draw them.
 */
final class CnnTraining {
  private static final int BATCH = CnnProblem.BATCH;
  private static final float FIRST_DECAY = 0.9f;
  private static final float SECOND_DECAY = 0.999f;
  private static final double EPSILON = 1e-8;

  private final CnnProblem problem;
  private final Cnn network;

  /** Adam's two moments, by row of the network's parameters. */
  private final List<float[]> first;

  private final List<float[]> second;
  private final SplittableRandom draws;
  private final float[] input;
  private final int[] labels = new int[BATCH];
  private long updates;

  CnnTraining(IdxImages images, long seed) {
    problem = new CnnProblem(images);
    SplittableRandom random = new SplittableRandom(seed);
    network = new Cnn(images.side(), IdxImages.CLASSES, BATCH, random.split());
    first = network.values().stream().map(row -> new float[row.length]).toList();
    second = network.values().stream().map(row -> new float[row.length]).toList();
    draws = random.split();
    input = new float[BATCH * images.side() * images.side()];
  }

  /** Makes so many updates; returns the mean of the mini-batches' losses before them. */
  double meanLoss(int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += update();
    }
    return sum / count;
  }

  private double update() {
    for (int s = 0; s < BATCH; s++) {
      problem.copy(draws.nextInt(problem.rows()), input, labels, s);
    }
    double loss = network.lossAndGradient(input, labels);
    updates++;
    // The corrections of the moments are folded into rate and epsilon.
    double secondCorrection = Math.sqrt(1 - Math.pow(SECOND_DECAY, (double) updates));
    double firstCorrection = 1 - Math.pow(FIRST_DECAY, (double) updates);
    float rate = (float) (CnnProblem.STEP * secondCorrection / firstCorrection);
    float epsilon = (float) (EPSILON * secondCorrection);
    for (int i = 0; i < first.size(); i++) {
      step(
          network.values().get(i),
          network.gradients().get(i),
          first.get(i),
          second.get(i),
          rate,
          epsilon);
    }
    return loss;
  }

  private static void step(
      float[] values, float[] gradient, float[] first, float[] second, float rate, float epsilon) {
    for (int j = 0; j < values.length; j++) {
      first[j] = FIRST_DECAY * first[j] + (1 - FIRST_DECAY) * gradient[j];
      second[j] = SECOND_DECAY * second[j] + (1 - SECOND_DECAY) * gradient[j] * gradient[j];
      values[j] -= rate * first[j] / ((float) Math.sqrt(second[j]) + epsilon);
    }
  }
}
