package io.sparkata.gate;

import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import scala.collection.immutable.List;
import scala.collection.immutable.List$;
import scala.collection.immutable.Seq;

/**
 * The tab ATA in Spark's history server, which finds this class by itself where the jar is on its
 * class path. It has the method of both Scalas, whose {@code Seq} is another type in each: that of
 * 2.12 is the bridge to {@link HistoryPluginOf212}. So the gate is asked on a server of the other
 * Scala, too.
 */
public final class HistoryPlugin extends HistoryPluginOf212 implements AppHistoryServerPlugin {
  /** The server makes a plugin for each application that it loads. */
  private static final GatedHistory HISTORY = new GatedHistory();

  @Override
  public Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
    List<SparkListener> none = List$.MODULE$.empty();
    return HISTORY.listener(store).map(none::$colon$colon).orElse(none);
  }

  @Override
  public void setupUI(SparkUI ui) {
    HISTORY.show(ui);
  }
}
