package io.sparkata.ui;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.apache.spark.util.kvstore.KVIndex;

/**
 * How long the application ran jobs, in Spark's store; there is one.
 *
 * @param seconds in which there was a job
 * @param ourSeconds in which there was one of a training
 */
public record StoredJobTimes(@JsonProperty double seconds, double ourSeconds) {
  static final int KEY = 0;

  /** The key in Spark's store. */
  @KVIndex
  @JsonIgnore
  public int key() {
    return KEY;
  }
}
