/**
 * The command line of the simulator, {@code scripts/ata simulate}: what would this policy have
 * done? Starts no Spark.
 */
package io.sparkata.lab.simulate;
