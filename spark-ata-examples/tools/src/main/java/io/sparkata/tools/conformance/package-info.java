/**
 * Spark's published test suites with stock Spark and routed: the report of
 * scripts/mllib-conformance.
 */
package io.sparkata.tools.conformance;
