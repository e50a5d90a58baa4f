package io.sparkata.whatif;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.report.SavedSeconds;
import java.util.List;

/** The estimate as JSON; docs/what-if.md describes it. */
final class WhatIfJson {
  private static final int SCHEMA = 1;

  private WhatIfJson() {}

  static ObjectNode of(List<PastApplication> applications) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("schema", SCHEMA);
    ArrayNode array = json.putArray("applications");
    applications.forEach(one -> array.add(of(one)));
    return json;
  }

  private static ObjectNode of(PastApplication application) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("log", application.log())
            .put("id", application.id())
            .put("name", application.name())
            .put("sparkVersion", application.sparkVersion())
            .put("seconds", application.seconds())
            .put("executors", application.executors())
            .put("trainedByAta", application.byAta())
            .put("secondsInRounds", application.secondsInRounds());
    put(json, application.saved());
    ArrayNode trainings = json.putArray("trainings");
    application.trainings().forEach(one -> trainings.add(of(one)));
    return json;
  }

  private static ObjectNode of(PastTraining training) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", training.name())
            .put("route", training.route().orElse(null))
            .put("rounds", training.rounds().rounds())
            .put("seconds", training.rounds().seconds())
            .put("why", training.why());
    training.rounds().saved().ifPresent(saved -> put(json, saved));
    ObjectNode speeds = json.putObject("relativeSpeeds");
    WhatIfText.relativeSpeeds(training).forEach(speeds::put);
    return json;
  }

  private static void put(ObjectNode json, SavedSeconds saved) {
    json.put("savedSeconds", saved.seconds())
        .put("savedLow", saved.low())
        .put("savedHigh", saved.high());
  }
}
