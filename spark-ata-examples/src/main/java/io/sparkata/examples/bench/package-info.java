/** Benchmarks on real data that {@code scripts/fetch-data} brings. */
package io.sparkata.examples.bench;
