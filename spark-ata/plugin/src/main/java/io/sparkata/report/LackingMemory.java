package io.sparkata.report;

/**
 * An executor that gets fewer rows than its speed deserves.
 *
 * @param bytes of the rows for which it has no free storage memory
 */
public record LackingMemory(String executor, double bytes) {}
