/** Rows packed into blocks in Spark's block managers, and MLlib's sample drawn over them. */
package io.sparkata.blocks;
