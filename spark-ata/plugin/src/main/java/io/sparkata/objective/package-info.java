/**
 * Sums that Spark's optimizers ask for, evaluation by evaluation, of a persisted RDD: L-BFGS,
 * OWL-QN and L-BFGS-B. Their state lives as long as Spark persists the RDD.
 */
package io.sparkata.objective;
