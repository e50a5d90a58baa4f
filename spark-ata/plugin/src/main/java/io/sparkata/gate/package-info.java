/**
 * The gate: checks whether this jar fits the Spark, the Scala and the Java that it finds. This
 * package is compiled to Java 8 bytecode and names none of our other classes, so it runs even if
 * the rest of the jar cannot be loaded.
 */
package io.sparkata.gate;
