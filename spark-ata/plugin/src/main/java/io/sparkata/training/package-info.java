/** MLlib's mini-batch loop, MLlib's own path, and the change between them. Driver only. */
package io.sparkata.training;
