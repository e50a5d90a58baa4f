/** What one training learns of executors and hosts for the next. Driver only. */
package io.sparkata.memory;
