package io.sparkata.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sparkata.spark.UiPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** One executor, in the latest trainings that it took part in. */
final class ExecutorPage implements UiPage {
  private static final int MOST_TRAININGS = 20;
  private static final double EVEN = 1.1;

  private final Trainings trainings;

  /** What an executor did in a training. */
  private record Part(StoredTraining training, History history, int position, RoundTimes times) {
    Optional<SpeedChange> change() {
      return times.change(history, position);
    }
  }

  ExecutorPage(Trainings trainings) {
    this.trainings = trainings;
  }

  @Override
  public String path() {
    return "executor";
  }

  @Override
  public String title() {
    return "Spark ATA: executor";
  }

  private List<Part> parts(String id) {
    List<Part> parts = new ArrayList<>();
    List<StoredTraining> all = trainings.all();
    for (int t = all.size() - 1; t >= Math.max(0, all.size() - MOST_TRAININGS); t--) {
      StoredTraining training = all.get(t);
      trainings
          .history(training.id())
          .filter(history -> history.executors().contains(id))
          .ifPresent(
              history ->
                  parts.add(
                      new Part(
                          training,
                          history,
                          history.executors().indexOf(id),
                          trainings.times(training.id()))));
    }
    return parts;
  }

  @Override
  public String html(UnaryOperator<String> parameters) {
    String id = String.valueOf(parameters.apply("id"));
    List<Part> parts = parts(id);
    Html html = new Html().open("p").element("a", "All trainings", "href", "../").close("p");
    if (parts.isEmpty()) {
      return html.element("p", "None of the last 20 trainings has this executor.").toString();
    }
    html.element("p", "Executor " + id + on(id) + " " + sentence(parts.get(0)));
    html.openTable(
        "Training", "Name", "Speed over the median's", "Changed", "Share of an even one");
    for (Part part : parts) {
      long number = part.training.id();
      double speed = part.history.relativeSpeed(part.position);
      html.open("tr").open("td", "sorttable_customkey", number);
      html.element("a", number, "href", "../training/?id=" + number).close("td");
      html.element("td", part.training.name())
          .number(speed, Html.speed(speed))
          .element("td", part.change().map(SpeedChange::text).orElse(""))
          .number(
              part.history.share(part.position),
              Html.format("%.2f", part.history.share(part.position)))
          .close("tr");
    }
    return html.closeTable().toString();
  }

  private String on(String id) {
    String host = trainings.host(id);
    return host.isEmpty() ? "" : " on " + host;
  }

  /** Such as "computes 3.1 times slower than the median; it gets 0.3 of ...". */
  private static String sentence(Part part) {
    double speed = part.history.relativeSpeed(part.position);
    String share = Html.format("%.2f", part.history.share(part.position));
    String end = "; it gets " + share + " of an even share in training " + part.training.id() + ".";
    if (Double.isNaN(speed)) {
      return "had too few rows to tell its speed" + end;
    }
    String change = part.change().map(it -> ", " + it.text()).orElse("");
    if (speed > EVEN) {
      return Html.format("computes %.1f times as fast as the median%s%s", speed, change, end);
    }
    return speed * EVEN < 1
        ? Html.format("computes %.1f times slower than the median%s%s", 1 / speed, change, end)
        : "computes as fast as the median" + change + end;
  }

  @Override
  public JsonNode json(UnaryOperator<String> parameters) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    String id = String.valueOf(parameters.apply("id"));
    for (Part part : parts(id)) {
      double speed = part.history.relativeSpeed(part.position);
      array
          .addObject()
          .put("training", part.training.id())
          .put("relativeSpeed", Double.isNaN(speed) ? null : speed)
          .put("sinceRound", part.change().map(SpeedChange::round).orElse(part.history.first()))
          .put("share", part.history.share(part.position))
          .put("sentence", "Executor " + id + on(id) + " " + sentence(part));
    }
    return array;
  }
}
