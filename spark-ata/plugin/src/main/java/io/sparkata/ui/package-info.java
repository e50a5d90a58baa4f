/**
 * The tab "ATA" in Spark's UI, live and in the history server: trainings and what each executor did
 * in them, from the events of {@link io.sparkata.events}. Driver and history server only.
 */
package io.sparkata.ui;
