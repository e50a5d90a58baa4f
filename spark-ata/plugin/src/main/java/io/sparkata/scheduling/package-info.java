/** The round, from counts to gradient, and the loop around MLlib's updater. */
package io.sparkata.scheduling;
