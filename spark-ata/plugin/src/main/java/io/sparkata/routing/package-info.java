/**
 * MLlib's callers routed to Spark ATA without a change to them: byte code of one method, woven when
 * a SparkContext starts and restored when it stops. Driver only.
 */
package io.sparkata.routing;
