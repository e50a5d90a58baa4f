/** Uneven executors train on real flights, three ways: {@code scripts/demo}. */
package io.sparkata.tools.demo;
