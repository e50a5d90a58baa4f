/**
 * What Spark ATA tells Spark's listeners: the events that the event log keeps, from which the tab
 * in Spark's UI is made, live and in the history server. Plain records; Spark writes them as JSON
 * by their components.
 */
package io.sparkata.events;
