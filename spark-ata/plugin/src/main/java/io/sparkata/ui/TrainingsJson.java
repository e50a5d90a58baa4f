package io.sparkata.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sparkata.events.Rounds;
import io.sparkata.spark.SparkListeners;
import io.sparkata.spark.UiStore;
import org.apache.spark.SparkContext;

/** The figures of a running application's tab, for programs. */
public final class TrainingsJson {
  private static final long EVENTS_MILLIS = 2000;

  private TrainingsJson() {}

  /** An array of what {@link TrainingPage} says of each training besides its charts. */
  public static JsonNode trainings(SparkContext context) {
    Trainings trainings = of(context);
    TrainingJson json = new TrainingJson(trainings);
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    trainings.all().forEach(one -> array.add(json.of(one)));
    return array;
  }

  /** An array for each executor in each sum of rounds; {@link io.sparkata.AtaStatus} names it. */
  public static JsonNode rounds(SparkContext context) {
    Trainings trainings = of(context);
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (StoredTraining one : trainings.all()) {
      for (Rounds sum : trainings.rounds(one.id())) {
        for (int i = 0; i < sum.executors().size(); i++) {
          array
              .addArray()
              .add(one.id())
              .add(sum.first())
              .add(sum.count())
              .add(sum.byMessage())
              .add(sum.micros() / 1e6)
              .add(sum.executors().get(i))
              .add(sum.rows()[i])
              .add(sum.kernelMicros()[i] / 1e6)
              .add(sum.fetchMicros()[i] / 1e6)
              .add(sum.movedBytes()[i]);
        }
      }
    }
    return array;
  }

  private static Trainings of(SparkContext context) {
    SparkListeners.awaitListeners(context, EVENTS_MILLIS); // a training may have ended just now
    return new Trainings(new UiStore(context.statusStore().store()), /* isOver= */ false);
  }
}
