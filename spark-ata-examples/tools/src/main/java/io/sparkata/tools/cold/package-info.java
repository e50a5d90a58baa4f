/**
 * Whole calls from a cold start: each side trains once, in an application of its own, with nothing
 * but its configuration and its input's partitions to tell it from the others.
 */
package io.sparkata.tools.cold;
