/** What the tools share: real data, cached rows, clocks, and one-line failures. */
package io.sparkata.lab;
