/**
 * Everything that touches Spark's {@code private[spark]} parts: public in byte code, without a
 * promise. The rest of the plugin uses Spark's public API or this package.
 */
package io.sparkata.spark;
