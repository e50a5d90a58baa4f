/**
 * The gate: whether this jar fits the Spark, the Scala and the Java that it finds. Everything here
 * is in Java 8's byte code and names no class of ours outside this package, so that it runs where
 * the rest of the jar cannot be loaded.
 */
package io.sparkata.gate;
