package io.sparkata.observation;

import io.sparkata.spark.Scala;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;

/**
 * What a stage of a training computes from.
 *
 * @param id of the RDD that the stage sums over
 * @param isObjects whether it is persisted as objects in memory
 * @param isCounted whether Spark counts its rows: what it reads of a persisted RDD further back are
 *     other things, such as the batches of a cached DataFrame
 */
public record StageData(int id, boolean isObjects, boolean isCounted) {
  private static final String SUM = "treeAggregate at ";

  /** By the file whose {@code treeAggregate} is routed. */
  private static final Map<String, String> ROUTES =
      Map.of(
          "GradientDescent.scala", "gradientDescent",
          "RDDLossFunction.scala", "lbfgs",
          "LBFGS.scala", "lbfgs");

  /** The value of {@code spark.ata.route} that serves a stage of this name; empty if none does. */
  public static Optional<String> route(String stage) {
    return stage.startsWith(SUM) ? Optional.ofNullable(ROUTES.get(file(stage))) : Optional.empty();
  }

  /** Of {@code treeAggregate at LBFGS.scala:303} what is between at and the line. */
  private static String file(String site) {
    return site.replaceFirst("^.* at ", "").replaceFirst(":\\d+$", "");
  }

  /** Empty for a stage that is no training's. */
  public static Optional<StageData> of(StageInfo stage) {
    Map<Integer, RDDInfo> rdds = new HashMap<>();
    Scala.each(stage.rddInfos()).forEach(rdd -> rdds.put(rdd.id(), rdd));
    return route(stage.name()).isPresent() ? ofSum(stage, rdds) : Optional.empty();
  }

  /** What the RDDs come from that the same file has made, such as a sample and its sums. */
  private static Optional<StageData> ofSum(StageInfo stage, Map<Integer, RDDInfo> rdds) {
    String file = file(stage.name());
    boolean isAnyPersisted = rdds.values().stream().anyMatch(rdd -> rdd.storageLevel().isValid());
    return rdds.values().stream()
        .filter(rdd -> file(rdd.callSite()).equals(file))
        .flatMap(rdd -> Scala.stream(rdd.parentIds()))
        .map(parent -> rdds.get((Integer) parent))
        .filter(parent -> parent != null && !file(parent.callSite()).equals(file))
        .max(Comparator.comparingInt(RDDInfo::id))
        .map(
            data -> {
              StorageLevel level = data.storageLevel();
              boolean isObjects = level.useMemory() && level.deserialized() && !level.useOffHeap();
              return new StageData(data.id(), isObjects, level.isValid() || !isAnyPersisted);
            });
  }
}
