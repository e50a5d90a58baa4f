package io.sparkata.whatif;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.cache.PastStages.Past;
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
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("log", application.log()).put("id", application.id()).put("name", application.name());
    json.put("sparkVersion", application.sparkVersion());
    json.put("seconds", application.seconds());
    json.put("executors", application.executors());
    json.put("trainedByAta", application.byAta());
    json.put("secondsInRounds", application.secondsInRounds());
    put(json, application.saved());
    ArrayNode trainings = json.putArray("trainings");
    application.trainings().forEach(one -> trainings.add(of(one)));
    json.put("secondsInStages", application.secondsInStages());
    ArrayNode stages = json.putArray("stages");
    application.stages().forEach(one -> stages.add(of(one)));
    return json;
  }

  private static ObjectNode of(PastTraining training) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", training.name());
    json.put("route", training.route());
    json.put("rounds", training.rounds().rounds());
    json.put("seconds", training.rounds().seconds());
    json.put("why", training.why());
    training.rounds().saved().ifPresent(saved -> put(json, saved));
    ObjectNode speeds = json.putObject("relativeSpeeds");
    WhatIfText.relativeSpeeds(training).forEach(speeds::put);
    return json;
  }

  private static ObjectNode of(Past stages) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", stages.name());
    json.put("stages", stages.stages());
    json.put("seconds", stages.seconds());
    put(json, stages.saved());
    return json.put("isCertain", stages.isCertain());
  }

  private static void put(ObjectNode json, SavedSeconds saved) {
    json.put("savedSeconds", saved.seconds())
        .put("savedLow", saved.low())
        .put("savedHigh", saved.high());
  }
}
