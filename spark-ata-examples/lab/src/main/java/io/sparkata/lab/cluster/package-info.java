/**
 * Clusters of uneven executors on this machine, and the applications that commands submit to them.
 */
package io.sparkata.lab.cluster;
