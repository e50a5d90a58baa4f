/** Packed blocks, MLlib's sample drawn over them, and the placement of rows on executors. */
package io.sparkata.data;
