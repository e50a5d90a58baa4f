package io.sparkata.kernel;

/**
 * How GPUs are used, as the user set it.
 *
 * @param isSingle whether rows are held, and products made, in single precision
 * @param memoryFraction of the device memory free at the start, in (0, 1], that may hold blocks
 */
public record GpuSettings(boolean isSingle, double memoryFraction) {}
