/**
 * Allocation policies, speed estimates and the min-max solver of the ATA paper (arXiv 2502.00775).
 * Plain Java without Spark, so that the simulator, the tests and the cluster use the same objects.
 */
package io.sparkata.allocation;
