/**
 * What {@code scripts/submit} leaves to Java: the options of spark-submit.
 *
 * <p>The script runs the one class from its source, before Maven has built anything. It uses the
 * JDK only.
 */
package io.sparkata.lab.scripts;
