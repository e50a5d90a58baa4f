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
    html.element("p", sentence(id, parts.get(0)));
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

  /** Such as "Executor 2 computes 3.1 times slower than the median; it gets 0.3 of ...". */
  private String sentence(String id, Part part) {
    String who = "Executor " + id + on(id) + " ";
    String where = " in training " + part.training.id() + ".";
    String share = Html.format("%.2f", part.history.share(part.position));
    return trainings
        .removedText(part.training, id)
        .map(text -> who + "was " + text + "; it " + speed(part, "computed") + where)
        .orElseGet(
            () ->
                who + speed(part, "computes") + "; it gets " + share + " of an even share" + where);
  }

  private static String speed(Part part, String computes) {
    double speed = part.history.relativeSpeed(part.position);
    if (Double.isNaN(speed)) {
      return "had too few rows to tell its speed";
    }
    String change = part.change().map(it -> ", " + it.text()).orElse("");
    String relative = "as fast";
    if (speed > EVEN) {
      relative = Html.format("%.1f times as fast", speed);
    } else if (speed * EVEN < 1) {
      return Html.format("%s %.1f times slower than the median%s", computes, 1 / speed, change);
    }
    return computes + " " + relative + " as the median" + change;
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
          .put("sentence", sentence(id, part));
    }
    return array;
  }
}
