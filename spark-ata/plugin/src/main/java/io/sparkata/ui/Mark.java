package io.sparkata.ui;

/**
 * Something that happened in a training.
 *
 * @param round in which it did
 * @param text such as {@code executor 2 removed}
 */
record Mark(long round, String text) {}
