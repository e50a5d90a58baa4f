/**
 * Whole calls from a cold start: each side trains once, in an application of its own, with nothing
 * but its configuration and its partitions to distinguish it from the others.
 */
package io.sparkata.lab.cold;
