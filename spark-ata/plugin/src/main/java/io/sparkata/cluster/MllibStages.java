package io.sparkata.cluster;

import io.sparkata.spark.CachedBlocks;
import io.sparkata.spark.Scala;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.DeterministicLevel;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;

/** Which stages are those of MLlib, spark.ml or Spark ATA, and what they read. Driver only. */
final class MllibStages {
  /**
   * The call site of a stage, or of a query: a method of Spark that does not write, called by MLlib
   * or spark.ml, but not by what saves models. Instrumentation asks a cached input for its
   * partitions, and Spark caches it on that occasion.
   */
  private static final Pattern BY_MLLIB =
      Pattern.compile(
          "org\\.apache\\.spark\\.(?!\\S*(save|write|Write|foreach))\\S+\\R"
              + "org\\.apache\\.spark\\.ml(lib)?\\.(?!util\\.(?!Instrumentation[.$])).*",
          Pattern.DOTALL);

  private static final String PACKING = "Spark ATA packing"; // the RDD's name

  private MllibStages() {}

  /** Whether MLlib or spark.ml calls Spark at this call site, and does not write. */
  static boolean isByMllib(String details) {
    return BY_MLLIB.matcher(details).matches();
  }

  /**
   * Whether MLlib, spark.ml or Spark ATA computes by this stage, and may compute a task twice: what
   * Spark would cache must be the same each time, as both copies may be read.
   */
  static boolean isOurs(StageInfo stage, boolean isOfQuery, boolean mayCache) {
    if (Scala.stream(stage.rddInfos()).anyMatch(rdd -> rdd.name().equals(PACKING))) {
      return true; // blocks of two attempts are never mixed
    }
    return (isOfQuery || isByMllib(stage.details()))
        && Scala.stream(stage.rddInfos())
            .filter(rdd -> rdd.storageLevel().isValid())
            .allMatch(rdd -> mayCache && isDeterminate(rdd));
  }

  private static boolean isDeterminate(RDDInfo rdd) {
    return rdd.outputDeterministicLevel().equals(DeterministicLevel.DETERMINATE());
  }

  /**
   * Whether of all cached RDDs it reads a DataFrame's only. Its batches can be serialized, and at
   * little cost; several RDDs must stay together.
   */
  static boolean readsOneDataFrame(SparkContext context, StageInfo stage) {
    List<Integer> cached =
        Scala.<RDDInfo>stream(stage.rddInfos())
            .filter(rdd -> rdd.storageLevel().isValid() && rdd.numPartitions() == stage.numTasks())
            .map(RDDInfo::id)
            .toList();
    return cached.size() == 1 && CachedBlocks.isOfDataFrame(context, cached.get(0));
  }
}
