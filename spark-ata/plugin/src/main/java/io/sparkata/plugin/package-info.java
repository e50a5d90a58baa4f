/** The plugin's life in driver and executors: start and stop, listener, registry, counters. */
package io.sparkata.plugin;
