package io.sparkata.ui;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.sparkata.events.CachedStages;
import org.apache.spark.util.kvstore.KVIndex;

/** The last event of stages that read the same cached data. */
public record StoredCache(@JsonProperty CachedStages stages) {

  /** The key in Spark's store. */
  @KVIndex
  @JsonIgnore
  public int key() {
    return stages.rdd();
  }
}
