/** Gradients over the sampled rows of packed blocks. */
package io.sparkata.kernel;
