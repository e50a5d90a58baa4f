/**
 * What past applications would have saved with Spark ATA, by their event logs: a program that runs
 * on any machine with a Spark, and needs no cluster.
 */
package io.sparkata.whatif;
