package io.sparkata.cluster;

import io.sparkata.spark.CachedBlocks;
import io.sparkata.spark.Scala;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
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
   * Whether the cached RDDs that a stage reads are DataFrames', each made from the next, as a fold
   * from the table that it is of. Their batches can be serialized, and at little cost. RDDs that
   * are read side by side must stay together.
   *
   * @param found ids of those that earlier stages have had
   */
  static boolean readsDataFrames(SparkContext context, StageInfo stage, List<Integer> found) {
    if (found.isEmpty()
        || !found.stream().allMatch(id -> CachedBlocks.isOfDataFrame(context, id))) {
      return false; // or a partition is held by an RDD with other partitions
    }
    Map<Integer, RDDInfo> all = new HashMap<>();
    Scala.<RDDInfo>stream(stage.rddInfos()).forEach(rdd -> all.put(rdd.id(), rdd));
    return isChain(CachingStages.all(stage), all);
  }

  /** Whether each of these RDDs is made from the next. */
  static boolean isChain(List<Integer> ids, Map<Integer, RDDInfo> all) {
    return IntStream.range(1, ids.size())
        .allMatch(i -> isMadeFrom(ids.get(i - 1), ids.get(i), all));
  }

  private static boolean isMadeFrom(int id, int origin, Map<Integer, RDDInfo> all) {
    Set<Integer> seen = new HashSet<>();
    Deque<Integer> next = new ArrayDeque<>(List.of(id));
    while (!next.isEmpty()) {
      RDDInfo rdd = all.get(next.pop());
      if (rdd != null && seen.add(rdd.id())) {
        Scala.<Object>stream(rdd.parentIds()).forEach(parent -> next.push((Integer) parent));
      }
    }
    return seen.contains(origin);
  }
}
