/** Runnable examples on real data; {@link io.sparkata.examples.Demo} is the one to start with. */
package io.sparkata.examples;
