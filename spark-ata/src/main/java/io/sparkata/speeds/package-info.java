/** What is remembered of executors' and hosts' speeds, from training to training. Driver only. */
package io.sparkata.speeds;
