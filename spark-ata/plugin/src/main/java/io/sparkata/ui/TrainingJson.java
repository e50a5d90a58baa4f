package io.sparkata.ui;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/** The figures of {@link TrainingPage}. */
final class TrainingJson {
  private final Trainings trainings;

  TrainingJson(Trainings trainings) {
    this.trainings = trainings;
  }

  /** Without its charts. */
  ObjectNode of(StoredTraining one) {
    return of(one, trainings.history(one.id()), trainings.times(one.id()));
  }

  /** With a value for each point of its charts, and what happened. */
  ObjectNode withCharts(StoredTraining one) {
    RoundTimes times = trainings.times(one.id());
    Optional<History> history = trainings.history(one.id());
    ObjectNode json = of(one, history, times);
    history.ifPresent(
        known -> {
          charts(json, known);
          ArrayNode marks = json.putArray("marks");
          Marks.of(trainings, one, known, times)
              .forEach(it -> marks.addObject().put("round", it.round()).put("text", it.text()));
        });
    return json;
  }

  private ObjectNode of(StoredTraining one, Optional<History> history, RoundTimes times) {
    ObjectNode json = OverviewPage.json(one, trainings.state(one));
    ArrayNode report = json.putArray("report");
    if (one.ended() != null) {
      one.ended().report().forEach(report::add);
    }
    ArrayNode executors = json.putArray("executors");
    history.ifPresent(
        known ->
            IntStream.range(0, known.executors().size())
                .forEach(i -> executors.add(executor(one, known, times, i))));
    return json;
  }

  private ObjectNode executor(StoredTraining one, History history, RoundTimes times, int i) {
    String id = history.executors().get(i);
    Optional<SpeedChange> change = times.change(history, i);
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("executor", id)
            .put("host", trainings.host(id))
            .put("share", history.share(i))
            .put("sinceRound", change.map(SpeedChange::round).orElse(history.first()))
            .put("kernelSeconds", history.kernelSeconds(i))
            .put("fetchSeconds", history.fetchSeconds(i))
            .put("movedBytes", history.movedBytes(i));
    trainings
        .removed(one, id)
        .ifPresent(it -> json.put("removeTime", it.removed()).put("removeReason", it.reason()));
    change.ifPresent(it -> json.put("change", it.factor()));
    history.speedRange(i).ifPresent(it -> it.addTo(json));
    double speed = history.relativeSpeed(i);
    return Double.isNaN(speed) ? json : json.put("relativeSpeed", speed);
  }

  private static void charts(ObjectNode json, History history) {
    ArrayNode from = json.putArray("fromRound");
    Arrays.stream(history.from()).forEach(from::add);
    json.put("lastRound", history.last());
    add(json, "roundMillis", history.roundMillis());
    add(json, "kernelMillis", history.kernelMillis());
    add(json, "fetchMillis", history.fetchMillis());
    add(json, "waitMillis", history.waitMillis());
    add(json, "sparkMillis", history.sparkMillis());
    add(json, "efficiency", history.efficiency());
    for (int i = 0; i < history.executors().size(); i++) {
      ObjectNode executor = (ObjectNode) json.get("executors").get(i);
      add(executor, "rowsPerRound", history.rowsPerRound(i));
      add(executor, "rowsPerSecond", history.speeds(i));
    }
  }

  private static void add(ObjectNode json, String name, double[] values) {
    ArrayNode array = json.putArray(name);
    for (double value : values) {
      if (Double.isFinite(value)) {
        array.add(value);
      } else {
        array.addNull();
      }
    }
  }
}
