/**
 * Routes Spark's callers to Spark ATA without a change to their code: rewrites the bytecode of one
 * method per route when a SparkContext starts and restores it when the context stops. Decides which
 * trainings are allocated. Driver only.
 */
package io.sparkata.routing;
