/**
 * The events that Spark ATA posts to Spark's listeners and the event log keeps, from which the tab
 * in Spark's UI is made, live and in the history server. Plain records; Spark writes them as JSON
 * by their components.
 */
package io.sparkata.events;
