package io.sparkata.ui;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.sparkata.events.Rounds;
import org.apache.spark.util.kvstore.KVIndex;

/**
 * Rounds in Spark's store.
 *
 * @param id number of the training
 * @param start of the first of them, in milliseconds since 1970
 */
public record StoredRounds(@JsonProperty long id, long start, Rounds rounds) {
  /** The index by training. */
  static final String TRAINING = "training";

  /** The key in Spark's store. */
  @KVIndex
  @JsonIgnore
  public String key() {
    return id + "/" + rounds.first();
  }

  /** The number of the training. */
  @KVIndex(TRAINING)
  @JsonIgnore
  public long training() {
    return id;
  }

  /** How many figures of executors take as much memory. */
  int cells() {
    return 8 + rounds.executors().size();
  }
}
