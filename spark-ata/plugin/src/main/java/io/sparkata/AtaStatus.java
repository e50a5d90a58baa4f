package io.sparkata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.config.AtaKeys;
import io.sparkata.config.Mode;
import io.sparkata.gate.GatedDriver;
import io.sparkata.ui.TrainingsJson;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/** What Spark ATA does in a running application, for notebooks; sparkata.py in the jar asks it. */
public final class AtaStatus {
  private AtaStatus() {}

  /**
   * Whether a training that this thread starts now goes through Spark ATA.
   *
   * @return {@code on}, {@code on, but only observes} with the key, or {@code off because} with the
   *     reason
   */
  public static String of(SparkContext context) {
    return whyOff(context)
        .map(why -> "off because " + why)
        .orElseGet(
            () ->
                AtaRuntime.of(context).orElseThrow().conf().mode() == Mode.OBSERVE
                    ? "on, but only observes: spark.ata.mode=observe"
                    : "on");
  }

  private static Optional<String> whyOff(SparkContext context) {
    SparkConf conf = context.getConf();
    if (!Arrays.asList(conf.get("spark.plugins", "").split(","))
        .contains(AtaPlugin.class.getName())) {
      return Optional.of("spark.plugins does not name " + AtaPlugin.class.getName());
    }
    if (conf.get(AtaKeys.ENABLED.key(), "false").equals("false")) {
      return Optional.of("spark.ata.enabled is not true");
    }
    Optional<AtaRuntime> runtime = AtaRuntime.of(context);
    if (runtime.isEmpty()) {
      return Optional.of(
          GatedDriver.whyUnfit(context.version())
              .orElse("it could not start; a WARN in the driver's log says why"));
    }
    return runtime.get().isOffHere()
        ? Optional.of("this session or thread has set spark.ata.enabled=false")
        : runtime.get().misfit();
  }

  /** The trainings so far: an array of the tab's {@code training/json}, without the charts. */
  public static String trainings(SparkContext context) {
    return json(context, TrainingsJson::trainings);
  }

  /**
   * The rounds that the tab's charts show, as an array of arrays for each executor in each sum of
   * rounds: training, number of the first round, rounds, those by message, their seconds, executor,
   * its rows, seconds of kernels, seconds of fetching, bytes that it received.
   */
  public static String rounds(SparkContext context) {
    return json(context, TrainingsJson::rounds);
  }

  private static String json(SparkContext context, Function<SparkContext, JsonNode> figures) {
    Optional<AtaRuntime> runtime = AtaRuntime.of(context);
    String error = "";
    if (runtime.isEmpty()) {
      error = of(context);
    } else if (!runtime.get().conf().hasUi() || context.ui().isEmpty()) {
      error = "trainings are kept only with spark.ui.enabled=true and spark.ata.ui.enabled=true";
    }
    return error.isEmpty()
        ? figures.apply(context).toString()
        : JsonNodeFactory.instance.objectNode().put("error", error).toString();
  }
}
