/**
 * Gradients on NVIDIA GPUs, through the CUDA driver: devices, their memory, and launches of the
 * kernels in {@code gradients.cu}. Only {@link io.sparkata.cuda.LwjglDriver} and {@link
 * io.sparkata.cuda.CalledFunctions} use LWJGL, which is in this module's jar.
 */
package io.sparkata.cuda;
