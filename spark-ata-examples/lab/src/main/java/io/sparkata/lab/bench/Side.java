package io.sparkata.lab.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who trains, in an application of its own. Sides differ by their configuration and by the caller's
 * partitions; only those with a method train in another way. Knows no Spark.
 *
 * @param id the name on the command line and in the results
 * @param partitionsPerSlot of the caller's rows
 * @param isReplicated whether each executor has a copy of the cached rows
 * @param method empty, or another method than the workload's own: {@code lbfgs}, {@code ring-*},
 *     {@code plain-*}
 * @param settings of the application
 */
record Side(
    String id,
    int partitionsPerSlot,
    boolean isReplicated,
    String method,
    Map<String, String> settings) {
  private static final int MANY = 8;
  private static final String ENABLED = "spark.ata.enabled";
  private static final Map<String, String> OFF = Map.of(ENABLED, "false");
  private static final Map<String, String> ADAPTIVE = on("adaptive");

  private static final List<Side> ALL =
      List.of(
          byMethod("spark", "", OFF),
          new Side("spark-partitioned", MANY, false, "", OFF),
          new Side("spark-partitioned-32", 32, false, "", OFF),
          new Side("spark-replicated", MANY, true, "", OFF),
          withSetting("spark-speculation", OFF, "spark.speculation", "true"),
          byMethod("spark-ata", "", ADAPTIVE),
          ofPolicy("uniform"),
          ofPolicy("self-adaptive"),
          // With the paper's width, shares stay even for 76 rounds of 64 units per worker.
          withSetting("ata-empirical", on("ata-empirical"), "spark.ata.policy.width", "0.5"),
          ofPolicy("adaptive"),
          new Side("adaptive-partitioned", MANY, false, "", ADAPTIVE),
          new Side("balance", MANY, false, "", and(ADAPTIVE, "spark.ata.cache", "balance")),
          withSetting("uniform-resident", on("uniform"), "spark.ata.execution", "resident"),
          withSetting("greedy", on("greedy"), "spark.ata.greedy.acknowledged", "true"),
          withSetting("observe", ADAPTIVE, "spark.ata.mode", "observe"),
          byMethod("lbfgs", "lbfgs", OFF),
          byMethod("lbfgs-adaptive", "lbfgs", ADAPTIVE),
          byMethod("ring-equal", "ring-equal", OFF),
          byMethod("ring-static", "ring-static", OFF),
          byMethod("ring-self-adaptive", "ring-self-adaptive", OFF),
          byMethod("broadcast-tree-aggregate", "plain-round", OFF),
          byMethod("empty-job", "plain-empty", OFF));

  private static Side byMethod(String id, String method, Map<String, String> settings) {
    return new Side(id, /* partitionsPerSlot= */ 1, /* isReplicated= */ false, method, settings);
  }

  private static Map<String, String> on(String policy) {
    return Map.of(ENABLED, "true", "spark.ata.policy", policy);
  }

  private static Side withSetting(
      String id, Map<String, String> settings, String key, String value) {
    return byMethod(id, "", and(settings, key, value));
  }

  private static Map<String, String> and(Map<String, String> settings, String key, String value) {
    Map<String, String> all = new HashMap<>(settings);
    all.put(key, value);
    return all;
  }

  /** Spark ATA with a policy, by its id or its class. */
  static Side ofPolicy(String policy) {
    return byMethod(policy, "", on(policy));
  }

  /** The side of that name; a class name is that of a user's policy. */
  static Side of(String id) {
    return ALL.stream().filter(side -> side.id().equals(id)).findFirst().orElse(ofPolicy(id));
  }

  static List<String> ids() {
    return ALL.stream().map(Side::id).toList();
  }

  /** Whether Spark ATA trains; in mode observe Spark does. */
  boolean isSparkAta() {
    return "true".equals(settings.get(ENABLED)) && !settings.containsKey("spark.ata.mode");
  }

  /** Whether two sides do the same iterations, so that their times and losses compare. */
  boolean comparesWith(Side other) {
    return kind().equals(other.kind());
  }

  private String kind() {
    return method.startsWith("plain") ? "" : method.split("-", 2)[0];
  }
}
