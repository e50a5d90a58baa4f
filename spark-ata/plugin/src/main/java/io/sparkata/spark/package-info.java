/**
 * All code that uses Spark's {@code private[spark]} parts, which are public in bytecode and may
 * change. The rest of the plugin uses Spark's public API or this package.
 */
package io.sparkata.spark;
