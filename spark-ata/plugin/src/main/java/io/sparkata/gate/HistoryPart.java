package io.sparkata.gate;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.util.kvstore.KVStore;

/** What the history server needs of us. */
public interface HistoryPart {
  /** A listener that writes events into the store of one application. */
  SparkListener listener(KVStore store);

  /**
   * Adds our tab, if the application had trainings.
   *
   * @throws ReflectiveOperationException if this Spark's UI is not as we know it
   */
  void show(SparkUI ui) throws ReflectiveOperationException;
}
