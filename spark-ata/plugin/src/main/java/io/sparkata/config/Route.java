package io.sparkata.config;

/** Calls of Spark's own callers that Spark ATA answers. */
public enum Route {
  /** Trainings of MLlib's GradientDescent. */
  GRADIENT_DESCENT,
  /** Sums of L-BFGS, OWL-QN and L-BFGS-B, which spark.ml and MLlib evaluate. */
  LBFGS
}
