package io.sparkata.gate;

import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.ElementTrackingStore;
import scala.collection.Seq;

/** The method of {@link HistoryPlugin} as Spark declares it on Scala 2.12. */
abstract class HistoryPluginOf212 {
  public abstract Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store);
}
