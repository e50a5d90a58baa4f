package io.sparkata.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.events.CachedStages;
import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.spark.UiPage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** All trainings of an application. */
final class OverviewPage implements UiPage {
  private static final String[] COLUMNS = {
    "Number",
    "Training",
    "State",
    "Policy",
    "Started",
    "Took",
    "Rounds",
    "By message",
    "In rounds",
    "Packing",
    "Saved"
  };

  /** As Spark's pages. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss").withZone(ZoneId.systemDefault());

  private static final String UNCERTAIN = "nothing certain";
  private static final int LONGEST_FAILURE = 160;

  private final Trainings trainings;

  OverviewPage(Trainings trainings) {
    this.trainings = trainings;
  }

  @Override
  public String path() {
    return "";
  }

  @Override
  public String title() {
    return "Spark ATA: trainings";
  }

  @Override
  public String html(UnaryOperator<String> parameters) {
    List<StoredTraining> all = trainings.all();
    List<StoredTraining> ours =
        all.stream().filter(one -> one.left() == null || one.allRounds() > 0).toList();
    List<StoredTraining> left = all.stream().filter(one -> one.left() != null).toList();
    Html html = new Html().element("p", summary(all.size(), ours, left));
    trainings.jobTimes().map(OverviewPage::jobs).ifPresent(text -> html.element("p", text));
    List<CachedStages> caches = trainings.caches();
    if (!caches.isEmpty()) {
      html.open("p").element("a", CachePage.summary(caches), "href", CachePage.PATH + "/");
      html.close("p");
    }
    new ExecutorNews(trainings).add(html, ours);
    if (!ours.isEmpty()) {
      html.openTable(COLUMNS);
      ours.forEach(one -> row(html, one));
      html.closeTable();
    }
    if (!left.isEmpty()) {
      html.element("h4", "Left to Spark")
          .openTable("Number", "Training", "Started", "Why", "What to do");
      for (StoredTraining one : left) {
        html.open("tr")
            .count(one.id())
            .element("td", one.name())
            .element("td", started(one))
            .element("td", one.left().text())
            .element("td", one.left().advice())
            .close("tr");
      }
      html.closeTable();
    }
    return html.toString();
  }

  private static String summary(int all, List<StoredTraining> ours, List<StoredTraining> left) {
    if (all == 0) {
      return "No training has reached Spark ATA so far.";
    }
    return Html.format(
        "%s with %s; saved over even shares: %s; %,d left to Spark%s%s.",
        Html.count(all, "training"),
        Html.count(ours.stream().mapToLong(StoredTraining::allRounds).sum(), "round"),
        saved(ours),
        left.size(),
        failures(ours, Outcome.FAILED, "failed"),
        failures(ours, Outcome.HANDED_OVER, "continued by Spark after an error"));
  }

  /** What of the application's time was trainings, and what was not. */
  private static String jobs(StoredJobTimes times) {
    return Html.format(
        "Spark has run jobs for %s: for %s (%.0f %%) those of trainings that Spark ATA ran or"
            + " observed, for %s only others.",
        Html.seconds(times.seconds()),
        Html.seconds(times.ourSeconds()),
        100 * times.ourSeconds() / Math.max(1e-9, times.seconds()),
        Html.seconds(times.seconds() - times.ourSeconds()));
  }

  /** Spark ran the rest of some for a reason, which is no error. */
  private static String failures(List<StoredTraining> ours, Outcome outcome, String what) {
    long count =
        ours.stream()
            .filter(one -> one.ended() != null && one.ended().outcome() == outcome)
            .filter(one -> one.left() == null || outcome == Outcome.FAILED)
            .count();
    return count == 0 ? "" : Html.format("; %,d %s", count, what);
  }

  /** As the report's last line: spreads add up, and what is not certain is no saving. */
  private static String saved(List<StoredTraining> ours) {
    List<TrainingEnded> known =
        ours.stream()
            .map(StoredTraining::ended)
            .filter(one -> one != null && one.outcome() != Outcome.OBSERVED)
            .filter(one -> one.savedSeconds() != null)
            .toList();
    double low = known.stream().mapToDouble(TrainingEnded::savedLow).sum();
    double high =
        known.stream()
            .mapToDouble(one -> one.savedHigh() == null ? one.savedSeconds() : one.savedHigh())
            .sum();
    boolean isLeast =
        known.size() < ours.size() || known.stream().anyMatch(one -> one.savedHigh() == null);
    String sum = range(known.stream().mapToDouble(TrainingEnded::savedSeconds).sum(), low, high);
    return known.isEmpty() ? "not known" : sum + (isLeast ? ", not known of all" : "");
  }

  private void row(Html html, StoredTraining one) {
    double pack = one.ended() == null ? Double.NaN : one.ended().packSeconds();
    double took =
        one.endTime().isEmpty() ? Double.NaN : (one.endTime().getAsLong() - one.startTime()) / 1e3;
    html.open("tr").open("td", "sorttable_customkey", one.id());
    html.element("a", one.id(), "href", "training/?id=" + one.id()).close("td");
    html.open("td").text(one.name());
    failure(one).ifPresent(why -> html.element("div", why));
    html.close("td");
    html.element("td", trainings.state(one))
        .element("td", one.policy())
        .element("td", started(one))
        .number(took, Html.seconds(took))
        .count(one.allRounds())
        .count(one.byMessage())
        .number(one.seconds(), Html.seconds(one.seconds()))
        .number(pack, Html.seconds(pack))
        .element("td", saved(one))
        .close("tr");
  }

  private static String started(StoredTraining one) {
    return TIME.format(Instant.ofEpochMilli(one.startTime()));
  }

  /** Of a training that threw an exception, the first words of its message. */
  private static Optional<String> failure(StoredTraining one) {
    return Optional.ofNullable(one.ended())
        .filter(ended -> ended.outcome() == Outcome.FAILED)
        .flatMap(ended -> ended.report().stream().findFirst())
        .map(line -> line.substring(line.indexOf(": ") + 2))
        .map(why -> why.substring(0, Math.min(LONGEST_FAILURE, why.length())));
  }

  /** What a training saved over even shares. */
  static String saved(StoredTraining one) {
    TrainingEnded ended = one.ended();
    if (ended == null || ended.savedSeconds() == null) {
      return "not known" + (ended == null ? " yet" : "");
    }
    String would = ended.outcome() == Outcome.OBSERVED ? "by allocation: " : "";
    return would + range(ended);
  }

  private static String range(TrainingEnded ended) {
    return ended.savedHigh() == null
        ? (ended.savedLow() > 0 ? "at least " + Html.seconds(ended.savedSeconds()) : UNCERTAIN)
        : range(ended.savedSeconds(), ended.savedLow(), ended.savedHigh());
  }

  private static String range(double seconds, double low, double high) {
    return low > 0 || high < 0
        ? Html.format("%s (%s to %s)", Html.seconds(seconds), Html.seconds(low), Html.seconds(high))
        : UNCERTAIN;
  }

  @Override
  public JsonNode json(UnaryOperator<String> parameters) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    trainings
        .jobTimes()
        .ifPresent(
            it -> json.put("jobSeconds", it.seconds()).put("trainingJobSeconds", it.ourSeconds()));
    ArrayNode removed = json.putArray("removedExecutors");
    trainings
        .removed(trainings.all())
        .forEach(
            it ->
                removed
                    .addObject()
                    .put("executor", it.id())
                    .put("host", it.host())
                    .put("removeTime", it.removed())
                    .put("removeReason", it.reason()));
    ArrayNode array = json.putArray("trainings");
    trainings.all().forEach(one -> array.add(json(one)));
    return json;
  }

  private ObjectNode json(StoredTraining one) {
    ObjectNode json = json(one, trainings.state(one));
    ArrayNode changes = json.putArray("changes");
    trainings.changes(one).forEach(it -> it.addTo(changes.addObject()));
    return json;
  }

  /** Without what the executors did. */
  static ObjectNode json(StoredTraining one, String state) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("training", one.id())
            .put("name", one.name())
            .put("kind", one.kind())
            .put("state", state)
            .put("policy", one.policy())
            .put("startTime", one.startTime())
            .put("rounds", one.allRounds())
            .put("roundsByMessage", one.byMessage())
            .put("seconds", one.seconds());
    if (one.left() != null) {
      json.put("reason", one.left().reason())
          .put("why", one.left().text())
          .put("advice", one.left().advice());
    }
    if (one.ended() != null) {
      json.put("endTime", one.ended().time())
          .put("packSeconds", one.ended().packSeconds())
          .put("savedSeconds", one.ended().savedSeconds())
          .put("savedLow", one.ended().savedLow())
          .put("savedHigh", one.ended().savedHigh());
    }
    return json;
  }
}
