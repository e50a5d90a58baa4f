/**
 * Routes MLlib's callers to Spark ATA without a change to their code: rewrites the bytecode of one
 * method when a SparkContext starts and restores it when the context stops. Decides which trainings
 * are allocated. Driver only.
 */
package io.sparkata.routing;
