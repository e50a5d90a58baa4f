package io.sparkata.gate;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * The tab ATA in Spark's history server, which finds this class by itself where the jar is on its
 * class path. One source per Scala line, because {@code Seq} means another type in each.
 */
public final class HistoryPlugin implements AppHistoryServerPlugin {
  private final GatedHistory history = new GatedHistory();

  @Override
  public Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
    List<SparkListener> listeners = new ArrayList<>();
    history.listener(store).ifPresent(listeners::add);
    return JavaConverters.asScalaBuffer(listeners);
  }

  @Override
  public void setupUI(SparkUI ui) {
    history.show(ui);
  }
}
