/**
 * What the scripts leave to Java: facts of pom.xml, JSON, test reports, the options of
 * spark-submit, and the clusters of {@code scripts/cluster}.
 *
 * <p>The package uses the JDK only. {@code scripts/lib.sh} compiles it by itself, because scripts
 * run before Maven has built anything.
 */
package io.sparkata.lab.scripts;
