/** What allocation would have saved, learned from the tasks of MLlib's own rounds. Driver only. */
package io.sparkata.observation;
