package io.sparkata.lab.cnn;

import io.sparkata.lab.RunFailure;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Trains the network by Adam on mini-batches drawn with replacement, as the workers of the paper
 * draw them.
 */
final class CnnTraining {
  static final int BATCH = 23;
  static final double LEARNING_RATE = 8e-5;

  private final IdxImages training;
  private final IdxImages test;
  private final Batches batches;
  private final Cnn network;
  private final List<Parameter> parameters;
  private final SplittableRandom draws;
  private final float[] input;
  private final int[] labels = new int[BATCH];
  private long updates;

  CnnTraining(IdxImages training, IdxImages test, long seed) {
    if (training.side() != test.side()) {
      throw new RunFailure(
          "Invalid images: "
              + training.side()
              + " pixels wide to train, "
              + test.side()
              + " to test (the same)");
    }
    this.training = training;
    this.test = test;
    batches = new Batches(training);
    SplittableRandom random = new SplittableRandom(seed);
    network = new Cnn(training.side(), IdxImages.CLASSES, BATCH, random.split());
    parameters = network.parameters();
    draws = random.split();
    input = new float[BATCH * training.side() * training.side()];
  }

  int parameterCount() {
    return network.size();
  }

  long updates() {
    return updates;
  }

  /** One update; returns the mini-batch's loss before it. */
  double update() {
    for (int s = 0; s < BATCH; s++) {
      batches.copy(training, draws.nextInt(training.count()), input, labels, s);
    }
    double loss = network.lossAndGradient(input, labels);
    Adam adam = Adam.atUpdate(++updates, LEARNING_RATE);
    for (Parameter parameter : parameters) {
      parameter.step(adam);
    }
    return loss;
  }

  /** The part of the test images that the network gets right. */
  double testAccuracy() {
    int right = 0;
    for (int first = 0; first < test.count(); first += BATCH) {
      int count = Math.min(BATCH, test.count() - first);
      for (int s = 0; s < count; s++) {
        batches.copy(test, first + s, input, labels, s);
      }
      float[][] scores = network.scores(input);
      for (int s = 0; s < count; s++) {
        right += CrossEntropy.argmax(scores[s]) == labels[s] ? 1 : 0;
      }
    }
    return (double) right / test.count();
  }
}
