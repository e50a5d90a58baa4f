/**
 * One harness for all comparisons with what Spark does today; started by {@code scripts/ata bench}.
 */
package io.sparkata.lab.bench;
