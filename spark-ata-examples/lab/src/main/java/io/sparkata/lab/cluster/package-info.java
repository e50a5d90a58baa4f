/**
 * {@code scripts/cluster}: clusters of uneven executors on this machine, and the applications that
 * other commands submit to them. {@code docs/cluster.md} is about both.
 */
package io.sparkata.lab.cluster;
