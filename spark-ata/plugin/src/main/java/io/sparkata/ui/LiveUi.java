package io.sparkata.ui;

import io.sparkata.gate.Trouble;
import io.sparkata.spark.SparkListeners;
import io.sparkata.spark.UiStore;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tab of a running application. */
public final class LiveUi {
  private static final Logger LOG = LoggerFactory.getLogger(LiveUi.class);

  /** The queue of the listener that writes what Spark's own pages show. */
  private static final String QUEUE = "appStatus";

  private LiveUi() {}

  /** Adds the tab, which lives as long as the application; nothing if Spark has no UI. */
  public static void start(SparkContext context) {
    if (context.ui().isEmpty()) {
      return;
    }
    try {
      AtaTab.attach(context.ui().get(), /* isOver= */ false);
      UiStore store = new UiStore(context.statusStore().store());
      SparkListeners.addListener(context, new TrainingListener(store), QUEUE);
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      LOG.warn(
          "Spark ATA: cannot add a tab to Spark's UI ({}); trainings are not shown there. Set"
              + " spark.ata.ui.enabled=false",
          error.toString(),
          error);
    }
  }
}
