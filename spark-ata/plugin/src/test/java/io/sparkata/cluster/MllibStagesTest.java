package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.collection.immutable.$colon$colon;
import scala.collection.immutable.List$;

/** In which stages tasks may get a second attempt. */
class MllibStagesTest {
  @ParameterizedTest
  @CsvSource({
    "org.apache.spark.rdd.RDD.treeAggregate(RDD.scala:1),org.apache.spark.ml.stat.Summarizer$.x,true",
    "org.apache.spark.sql.Dataset.first(D.scala:1),org.apache.spark.ml.feature.StandardScaler.fit,true",
    "org.apache.spark.rdd.RDD.count(RDD.scala:1),org.apache.spark.mllib.clustering.KMeans.run,true",
    "org.apache.spark.sql.Dataset.rdd(D.scala:1),org.apache.spark.ml.util.Instrumentation.logDataset,true",
    "org.apache.spark.rdd.RDD.count(RDD.scala:1),com.example.App.main,false",
    "org.apache.spark.rdd.RDD.count(RDD.scala:1),com.example.org.apache.spark.ml.App.main,false",
    "org.apache.spark.rdd.RDD.saveAsTextFile(RDD.scala:1),org.apache.spark.ml.x,false",
    "org.apache.spark.rdd.RDD.foreachPartition(RDD.scala:1),org.apache.spark.ml.x,false",
    "org.apache.spark.sql.DataFrameWriter.parquet(W.scala:1),org.apache.spark.ml.x,false",
    "org.apache.spark.rdd.RDD.collect(RDD.scala:1),org.apache.spark.ml.util.X.save,false",
    "io.sparkata.App.main,org.apache.spark.ml.x,false",
  })
  void isOurs_byTheCaller(String called, String caller, boolean isOurs) {
    String details = called + "\n" + caller + "(X.scala:2)\ncom.example.App.main(App.java:3)";
    assertThat(isOurs(TaskEvents.stage(1, details, "an RDD", 7))).isEqualTo(isOurs);
  }

  @Test
  void isOurs_packing_byTheNameOfTheRdd() {
    assertThat(isOurs(TaskEvents.stage(1, "X.train", "Spark ATA packing", 7))).isTrue();
    assertThat(isOurs(TaskEvents.stage(1, "X.train", "an RDD", 7))).isFalse();
  }

  @Test
  void isOurs_stageOfAQueryOfMllib_whateverItsOwnCallSite() {
    StageInfo stage = TaskEvents.stage(1, "java.base/java.util.concurrent.X.run", "an RDD", 7);
    assertThat(MllibStages.isOurs(stage, /* isOfQuery= */ true, /* mayCache= */ true)).isTrue();
    assertThat(MllibStages.isOurs(stage, /* isOfQuery= */ false, /* mayCache= */ true)).isFalse();
  }

  @Test
  void isOurs_stageThatCaches_onlyIfItMayAndIsDeterminate() {
    StageInfo stage = TaskEvents.stage(1, "", "an RDD", 7);
    RDDInfo cached = stage.rddInfos().apply(0);
    cached.storageLevel_$eq(StorageLevel.MEMORY_ONLY());
    assertThat(MllibStages.isOurs(stage, /* isOfQuery= */ true, /* mayCache= */ true)).isTrue();
    assertThat(MllibStages.isOurs(stage, /* isOfQuery= */ true, /* mayCache= */ false)).isFalse();
  }

  /** A fold of a table, and another table. */
  @Test
  void isChain_eachIsMadeFromTheNext() {
    Map<Integer, RDDInfo> all = new HashMap<>();
    put(all, 1);
    put(all, 2, 1);
    put(all, 3, 2, 2);
    put(all, 4);
    put(all, 5, 3, 4);
    assertThat(MllibStages.isChain(List.of(1), all)).isTrue();
    assertThat(MllibStages.isChain(List.of(3, 1), all)).isTrue();
    assertThat(MllibStages.isChain(List.of(5, 3, 1), all)).isTrue();
    assertThat(MllibStages.isChain(List.of(4, 3), all)).isFalse();
    assertThat(MllibStages.isChain(List.of(1, 3), all)).isFalse();
    assertThat(MllibStages.isChain(List.of(5, 4, 1), all)).as("read side by side").isFalse();
  }

  private static void put(Map<Integer, RDDInfo> all, int id, int... parents) {
    RDDInfo info = TaskEvents.stage(1, id).rddInfos().apply(0);
    scala.collection.immutable.List<Object> ids = List$.MODULE$.empty();
    for (int parent : parents) {
      ids = new $colon$colon<>(parent, ids);
    }
    all.put(
        id,
        new RDDInfo(
            id,
            info.name(),
            info.numPartitions(),
            StorageLevel.MEMORY_ONLY(),
            info.isBarrier(),
            ids,
            info.callSite(),
            info.scope(),
            info.outputDeterministicLevel()));
  }

  private static boolean isOurs(StageInfo stage) {
    return MllibStages.isOurs(stage, /* isOfQuery= */ false, /* mayCache= */ false);
  }
}
