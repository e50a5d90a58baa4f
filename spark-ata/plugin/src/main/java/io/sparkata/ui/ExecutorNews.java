package io.sparkata.ui;

import io.sparkata.spark.UiStore.ShownExecutor;
import java.util.Comparator;
import java.util.List;

/** The first page's lists of executors whose speed has changed, and of those that were removed. */
final class ExecutorNews {
  /** Of each list. */
  private static final int MOST = 5;

  private final Trainings trainings;

  private record Changed(long training, SpeedChange change) {}

  ExecutorNews(Trainings trainings) {
    this.trainings = trainings;
  }

  /** Adds what is known of these trainings; nothing if nothing happened. */
  void add(Html html, List<StoredTraining> ours) {
    changes(html, ours);
    removed(html, ours);
  }

  /** The last ones of executors' speeds, each with a link to its executor and its training. */
  private void changes(Html html, List<StoredTraining> ours) {
    List<Changed> all =
        ours.stream()
            .flatMap(one -> trainings.changes(one).stream().map(it -> new Changed(one.id(), it)))
            .sorted(Comparator.comparingLong((Changed one) -> one.change.time()).reversed())
            .toList();
    if (all.isEmpty()) {
      return;
    }
    html.element("p", "Executors whose speed has changed, the last ones first:").open("ul");
    for (Changed one : all.subList(0, Math.min(MOST, all.size()))) {
      String id = one.change.executor();
      String host = trainings.host(id);
      html.open("li")
          .element("a", "Executor " + id, "href", "executor/?id=" + id)
          .text((host.isEmpty() ? "" : " on " + host) + ": " + one.change.text() + " of ")
          .element("a", "training " + one.training, "href", "training/?id=" + one.training)
          .close("li");
    }
    if (all.size() > MOST) {
      html.element("li", Html.format("%,d earlier ones", all.size() - MOST));
    }
    html.close("ul");
  }

  /** The last executors that Spark has removed meanwhile. */
  private void removed(Html html, List<StoredTraining> ours) {
    List<ShownExecutor> all = trainings.removed(ours);
    if (all.isEmpty()) {
      return;
    }
    html.element("p", "Executors that Spark has removed meanwhile, the last ones first:")
        .open("ul");
    for (ShownExecutor one : all.subList(0, Math.min(MOST, all.size()))) {
      html.open("li")
          .element("a", "Executor " + one.id(), "href", "executor/?id=" + one.id())
          .text(" on " + one.host() + ": " + Trainings.text(one))
          .close("li");
    }
    if (all.size() > MOST) {
      html.element("li", Html.format("%,d earlier ones", all.size() - MOST));
    }
    html.close("ul");
  }
}
