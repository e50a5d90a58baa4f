/**
 * The balanced cache: partitions of persisted RDDs move to the executors that compute faster, so
 * that the tasks of every later stage over them end together. Spark's own scheduler runs each task
 * where its partition is; nothing of a job is changed. Without {@code spark.ata.cache=balance} it
 * only reports what that would save.
 */
package io.sparkata.cache;
