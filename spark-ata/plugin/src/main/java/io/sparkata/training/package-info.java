/**
 * MLlib's mini-batch loop by allocated rounds, MLlib's own path, and the switch between them.
 * Driver only.
 */
package io.sparkata.training;
