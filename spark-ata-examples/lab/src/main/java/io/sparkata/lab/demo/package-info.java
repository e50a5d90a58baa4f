/** Stock MLlib and Spark ATA train on real flights on uneven executors: {@code scripts/demo}. */
package io.sparkata.lab.demo;
