package io.sparkata.spark;

import org.apache.spark.util.KnownSizeEstimation;

/** Tells Spark's size estimator how much storage memory an object takes. */
public interface SizedForStorage extends KnownSizeEstimation {}
