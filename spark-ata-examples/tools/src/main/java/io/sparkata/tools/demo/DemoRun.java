package io.sparkata.tools.demo;

import io.sparkata.tools.RunFailure;
import java.util.Map;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;

/**
 * The figures of one side, under the names of the JSON.
 *
 * @param policy mllib, uniform or adaptive
 * @param secondsPerIteration median from iteration {@link Demo#SETTLED} on
 * @param callSeconds the whole call, packing included
 * @param packSeconds packing, 0 for MLlib
 * @param samplesPerExecutor mean per round from round {@link Demo#SETTLED} on, by executor id
 * @param executorSpeeds calibrated rows per second, by executor id
 * @param workerSeconds executor run time of all tasks of the call
 * @param finalLoss after the last update
 * @param maxWeightDifference from MLlib's weights, see {@link #weightDifference}
 */
record DemoRun(
    String policy,
    double secondsPerIteration,
    double callSeconds,
    double packSeconds,
    Map<String, Double> samplesPerExecutor,
    Map<String, Double> executorSpeeds,
    double workerSeconds,
    double finalLoss,
    double maxWeightDifference) {

  DemoRun {
    requireFinite("secondsPerIteration", secondsPerIteration, policy);
    requireFinite("callSeconds", callSeconds, policy);
    requireFinite("packSeconds", packSeconds, policy);
    requireFinite("workerSeconds", workerSeconds, policy);
    requireFinite("finalLoss", finalLoss, policy);
    requireFinite("maxWeightDifference", maxWeightDifference, policy);
  }

  private static void requireFinite(String name, double value, String policy) {
    if (!Double.isFinite(value)) {
      throw new RunFailure(
          "Invalid " + name + " of " + policy + ": " + value + " (finite). Set --step to less.");
    }
  }

  /** ||w - w'|| / max(||w||, 1), w being MLlib's weights. */
  static double weightDifference(Vector mllib, Vector other) {
    double[] difference = other.toArray().clone();
    double[] w = mllib.toArray();
    for (int i = 0; i < w.length; i++) {
      difference[i] -= w[i];
    }
    return Vectors.norm(Vectors.dense(difference), 2.0) / Math.max(Vectors.norm(mllib, 2.0), 1.0);
  }
}
