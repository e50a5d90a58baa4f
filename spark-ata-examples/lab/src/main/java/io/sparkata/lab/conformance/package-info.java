/** Spark's published test suites with stock Spark and routed: {@code scripts/ata conformance}. */
package io.sparkata.lab.conformance;
