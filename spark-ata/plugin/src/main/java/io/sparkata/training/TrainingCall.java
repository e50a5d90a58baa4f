package io.sparkata.training;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.report.TrainingReport;
import org.apache.spark.SparkContext;

/**
 * One call that trains, as all of its steps need it. Driver only.
 *
 * @param policy id or class name
 */
record TrainingCall(Training training, AtaRuntime runtime, String policy, TrainingReport report) {

  SparkContext context() {
    return training.data().context();
  }
}
