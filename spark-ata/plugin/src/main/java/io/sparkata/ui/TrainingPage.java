package io.sparkata.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sparkata.events.TrainingStarted;
import io.sparkata.spark.UiPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** One training: its rounds and what the executors did in them. */
final class TrainingPage implements UiPage {
  private static final int SHOWN = Legend.colors();

  private final Trainings trainings;

  TrainingPage(Trainings trainings) {
    this.trainings = trainings;
  }

  @Override
  public String path() {
    return "training";
  }

  @Override
  public String title() {
    return "Spark ATA: training";
  }

  @Override
  public String html(UnaryOperator<String> parameters) {
    Optional<StoredTraining> found = find(parameters);
    Html html = new Html();
    if (found.isEmpty()) {
      return html.element("p", "There is no such training.").toString();
    }
    StoredTraining one = found.get();
    html.open("p").element("a", "All trainings", "href", "../").close("p");
    html.element("h4", one.id() + ": " + one.name());
    html.element(
        "p",
        Html.format(
            "%s; policy %s; %,d rounds in %s, %,d of them by message; saved over even shares: %s",
            trainings.state(one),
            one.policy(),
            one.allRounds(),
            Html.seconds(one.seconds()),
            one.byMessage(),
            OverviewPage.saved(one)));
    if (one.left() != null) {
      html.element("p", "Spark runs it, because " + one.left().text() + ". " + one.left().advice());
    }
    if (one.ended() != null) {
      one.ended().report().forEach(line -> html.element("p", line));
    }
    Optional<History> history = trainings.history(one.id());
    if (history.isEmpty()) {
      html.element("p", "There are no rounds, or they are no longer kept.");
    } else {
      RoundTimes times = trainings.times(one.id());
      List<Mark> marks = Marks.of(trainings, one, history.get(), times);
      list(html, marks, times::text);
      charts(html, one, history.get(), times::text, marks);
      executors(html, one, history.get(), times);
    }
    return html.toString();
  }

  private Optional<StoredTraining> find(UnaryOperator<String> parameters) {
    return Trainings.number(parameters.apply("id")).flatMap(trainings::get);
  }

  private static void charts(
      Html html,
      StoredTraining one,
      History history,
      LongFunction<String> roundText,
      List<Mark> marks) {
    String rows = rows(one);
    String what = isObserved(one) ? "tasks" : "kernels";
    List<Chart.Line> times =
        List.of(
            new Chart.Line(isObserved(one) ? "tasks" : "kernel", history.kernelMillis()),
            new Chart.Line("fetching", history.fetchMillis()),
            new Chart.Line("waiting for the slowest executor", history.waitMillis()),
            new Chart.Line("Spark and messages", history.sparkMillis()));
    List<Chart.Line> efficiency = List.of(new Chart.Line("efficiency", history.efficiency()));
    BiFunction<String, List<Chart.Line>, Chart> chart =
        (title, lines) ->
            new Chart(title, history.from(), history.last(), roundText, lines).marked(marks);
    html.add(chart.apply(rows + " of a round by executor", shown(history)).stacked())
        .add(
            chart
                .apply(
                    rows + " per second of the executors' " + what, some(history, history::speeds))
                .plain())
        .add(chart.apply("Milliseconds of a round, a mean over the executors", times).stacked())
        .add(
            chart
                .apply(
                    "Efficiency: the sum of a round over what all executors could sum in its time",
                    efficiency)
                .plain());
  }

  /** What is counted: elements of L-BFGS may be blocks of rows. */
  private static String rows(StoredTraining one) {
    if (isObserved(one)) {
      return "Rows (tasks where Spark counts no rows)";
    }
    return one.kind().equals("lbfgs") ? "Elements (blocks of rows in spark.ml)" : "Rows";
  }

  private static boolean isObserved(StoredTraining one) {
    return one.policy().equals(TrainingStarted.OBSERVED);
  }

  /** The same as in the charts, for those who cannot see these. */
  private static void list(Html html, List<Mark> marks, LongFunction<String> roundText) {
    if (marks.isEmpty()) {
      return;
    }
    html.element("p", "What happened, dashed in the charts:").open("ul");
    marks.forEach(
        mark -> html.element("li", "round " + roundText.apply(mark.round()) + ": " + mark.text()));
    html.close("ul");
  }

  /** The executors that have a color: all, or the slowest and the fastest of known speed. */
  private static List<Integer> chosen(History history) {
    int all = history.executors().size();
    if (all <= SHOWN) {
      return IntStream.range(0, all).boxed().toList();
    }
    List<Integer> known =
        IntStream.range(0, all)
            .filter(i -> !Double.isNaN(history.speed(i)))
            .boxed()
            .sorted(Comparator.comparingDouble(history::speed))
            .toList();
    if (known.size() <= SHOWN) {
      return known;
    }
    List<Integer> chosen = new ArrayList<>(known.subList(0, SHOWN / 2));
    chosen.addAll(known.subList(known.size() - (SHOWN - SHOWN / 2), known.size()));
    return chosen;
  }

  private static List<Chart.Line> some(History history, IntFunction<double[]> figure) {
    return new ArrayList<>(
        chosen(history).stream()
            .map(i -> new Chart.Line("executor " + history.executors().get(i), figure.apply(i)))
            .toList());
  }

  private static List<Chart.Line> shown(History history) {
    List<Integer> chosen = chosen(history);
    List<Chart.Line> lines = some(history, history::rowsPerRound);
    int others = history.executors().size() - chosen.size();
    if (others > 0) {
      double[] rest = new double[history.from().length];
      Set<Integer> own = Set.copyOf(chosen);
      for (int i = 0; i < history.executors().size(); i++) {
        double[] rows = own.contains(i) ? new double[rest.length] : history.rowsPerRound(i);
        for (int p = 0; p < rest.length; p++) {
          rest[p] += rows[p];
        }
      }
      lines.add(new Chart.Line(Html.format("the other %,d executors", others), rest));
    }
    return lines;
  }

  /** Such as {@code node-7, removed at 10:36:25: Command exited with code 137}. */
  private String host(StoredTraining one, String executor) {
    return trainings.host(executor)
        + trainings.removedText(one, executor).map(text -> ", " + text).orElse("");
  }

  private void executors(Html html, StoredTraining one, History history, RoundTimes times) {
    html.element("h4", "Executors")
        .openTable(
            "Executor",
            "Host",
            "Speed over the median's",
            "Changed",
            "Share of an even one",
            isObserved(one) ? "In tasks" : "In kernels",
            "Waited for blocks",
            "Moved MB");
    for (int i = 0; i < history.executors().size(); i++) {
      String id = history.executors().get(i);
      double speed = history.relativeSpeed(i);
      html.open("tr").open("td", "sorttable_customkey", id);
      html.element("a", id, "href", "../executor/?id=" + id).close("td");
      html.element("td", host(one, id))
          .number(speed, Html.speed(speed) + history.speedRange(i).map(SpeedRange::text).orElse(""))
          .element("td", times.change(history, i).map(SpeedChange::text).orElse(""))
          .number(history.share(i), Html.format("%.2f", history.share(i)))
          .number(history.kernelSeconds(i), Html.seconds(history.kernelSeconds(i)))
          .number(history.fetchSeconds(i), Html.seconds(history.fetchSeconds(i)))
          .number(history.movedBytes(i) / 1e6, Html.format("%,.1f", history.movedBytes(i) / 1e6))
          .close("tr");
    }
    html.closeTable();
  }

  @Override
  public JsonNode json(UnaryOperator<String> parameters) {
    return find(parameters)
        .map(new TrainingJson(trainings)::withCharts)
        .orElseGet(
            () -> JsonNodeFactory.instance.objectNode().put("error", "There is no such training."));
  }
}
