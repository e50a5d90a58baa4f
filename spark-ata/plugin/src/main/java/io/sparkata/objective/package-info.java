/**
 * The sums that Spark's optimizers ask for: L-BFGS, OWL-QN and L-BFGS-B. An evaluation of their
 * objective is one {@code treeAggregate} over a persisted RDD. Driver only, except what tasks run.
 */
package io.sparkata.objective;
