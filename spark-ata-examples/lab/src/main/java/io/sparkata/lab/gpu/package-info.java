/** Checks of the GPU kernels, and of a job on them, on a machine that has a GPU and little else. */
package io.sparkata.lab.gpu;
