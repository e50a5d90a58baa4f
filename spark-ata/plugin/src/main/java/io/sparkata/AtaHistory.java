package io.sparkata;

import io.sparkata.gate.HistoryPart;
import io.sparkata.spark.UiStore;
import io.sparkata.ui.AtaTab;
import io.sparkata.ui.TrainingListener;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.util.kvstore.KVStore;

/** The history server's part: the tab of applications that are over. */
final class AtaHistory implements HistoryPart {
  @Override
  public SparkListener listener(KVStore store) {
    return new TrainingListener(new UiStore(store));
  }

  @Override
  public void show(SparkUI ui) throws ReflectiveOperationException {
    if (AtaTab.hasContent(ui)) {
      AtaTab.attach(ui, ui.store().applicationInfo().attempts().last().completed());
    }
  }
}
