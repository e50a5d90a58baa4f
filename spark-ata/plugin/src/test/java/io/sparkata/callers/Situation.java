package io.sparkata.callers;

import org.apache.spark.api.java.JavaSparkContext;

/** A training that makes stock Spark say or throw something; its text is its name. */
interface Situation {
  /** Trains, and answers what the training does. */
  Object train(JavaSparkContext spark);
}
