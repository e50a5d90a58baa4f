package io.sparkata.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sparkata.events.CachedStages;
import io.sparkata.spark.UiPage;
import java.util.List;
import java.util.function.UnaryOperator;

/** The cached data that stages read again and again, and what moved partitions save of them. */
final class CachePage implements UiPage {
  static final String PATH = "cache";

  /** Less is within what stages differ by chance, as in the report's last line. */
  private static final double LEAST_SECONDS = 1;

  private final Trainings trainings;

  CachePage(Trainings trainings) {
    this.trainings = trainings;
  }

  @Override
  public String path() {
    return PATH;
  }

  @Override
  public String title() {
    return "Spark ATA: cached data";
  }

  @Override
  public String html(UnaryOperator<String> parameters) {
    List<CachedStages> all = trainings.caches();
    Html html = new Html().open("p").element("a", "All trainings", "href", "../").close("p");
    html.element("p", summary(all));
    if (!all.isEmpty()) {
      html.openTable("RDD", "Cached data", "Stages", "In stages", "Saved", "Moved", "Moved MB");
      for (CachedStages one : all) {
        html.open("tr")
            .count(one.rdd())
            .element("td", one.name())
            .count(one.stages())
            .number(one.seconds(), Html.seconds(one.seconds()))
            .number(
                one.savedSeconds(),
                (one.isBalanced() ? "" : "by balance: ") + Html.seconds(one.savedSeconds()))
            .count(one.movedPartitions())
            .number((double) one.movedBytes(), Html.format("%,.1f", one.movedBytes() / 1e6))
            .close("tr");
      }
      html.closeTable();
    }
    return html.toString();
  }

  /** One sentence. */
  static String summary(List<CachedStages> all) {
    if (all.isEmpty()) {
      return "No stages have read cached data often enough, or spark.ata.cache=off.";
    }
    boolean isBalanced = all.stream().allMatch(CachedStages::isBalanced);
    double saved = all.stream().mapToDouble(CachedStages::savedSeconds).sum();
    return Html.format(
        "%s over cached data took %s in all; %s: %s.",
        Html.count(all.stream().mapToInt(CachedStages::stages).sum(), "stage"),
        Html.seconds(all.stream().mapToDouble(CachedStages::seconds).sum()),
        isBalanced ? "saved by moved partitions" : "balanced partitions would save",
        saved < LEAST_SECONDS ? "nothing certain" : Html.seconds(saved));
  }

  @Override
  public JsonNode json(UnaryOperator<String> parameters) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (CachedStages one : trainings.caches()) {
      array
          .addObject()
          .put("rdd", one.rdd())
          .put("name", one.name())
          .put("balanced", one.isBalanced())
          .put("stages", one.stages())
          .put("seconds", one.seconds())
          .put("savedSeconds", one.savedSeconds())
          .put("movedPartitions", one.movedPartitions())
          .put("movedBytes", one.movedBytes());
    }
    return array;
  }
}
