package io.sparkata.ui;

import io.sparkata.spark.UiPage;
import io.sparkata.spark.UiStore;
import io.sparkata.spark.UiTab;
import java.util.List;
import org.apache.spark.ui.SparkUI;

/** The tab, of a live application or in the history server. */
public final class AtaTab {
  private AtaTab() {}

  /** Whether there is anything to show. */
  public static boolean hasContent(SparkUI ui) {
    UiStore store = new UiStore(ui.store().store());
    return !store.all(StoredTraining.class).isEmpty() || !store.all(StoredCache.class).isEmpty();
  }

  /**
   * Adds the tab.
   *
   * @param isOver whether the application has ended
   * @throws ReflectiveOperationException if this Spark's UI is not as we know it
   */
  public static void attach(SparkUI ui, boolean isOver) throws ReflectiveOperationException {
    Trainings trainings = new Trainings(new UiStore(ui.store().store()), isOver);
    List<UiPage> pages =
        List.of(
            new OverviewPage(trainings),
            new TrainingPage(trainings),
            new ExecutorPage(trainings),
            new CachePage(trainings));
    UiTab.attach(ui, "ata", "ATA", pages);
  }
}
