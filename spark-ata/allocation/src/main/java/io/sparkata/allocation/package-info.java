/**
 * Who computes how much: allocation policies, speed estimates and the min-max solver of the ATA
 * paper (arXiv 2502.00775). Plain Java without Spark, so that the simulator, the tests and the
 * cluster drive the same objects.
 */
package io.sparkata.allocation;
