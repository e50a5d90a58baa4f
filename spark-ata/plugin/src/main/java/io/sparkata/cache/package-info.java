/**
 * The balanced cache: partitions of persisted RDDs move to the executors that compute faster, so
 * that the tasks of every later stage over them end together. Spark's own scheduler runs each task
 * where its partition is; nothing of a job is changed. Off unless {@code spark.ata.cache=balance}.
 */
package io.sparkata.cache;
