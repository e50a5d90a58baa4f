/** What is remembered of executors and hosts, from training to training. Driver only. */
package io.sparkata.memory;
