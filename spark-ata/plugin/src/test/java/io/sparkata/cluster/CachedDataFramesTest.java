package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.LocalSpark;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Which of Spark's own stages compute what is then cached, and read nothing but DataFrames. */
class CachedDataFramesTest {
  private static final long BUS_MILLIS = 60_000;

  /** A stage over cached data, as it was seen when it was submitted. */
  private record Seen(int rdds, boolean isCaching, boolean readsDataFrames) {}

  @Test
  void readsDataFrames_foldOfATable_untilObjectsAreCached() throws Exception {
    Map<Integer, List<Seen>> byRdds = stages();

    assertThat(byRdds).containsOnlyKeys(1, 2, 3);
    assertThat(byRdds.get(1)).startsWith(new Seen(1, true, false)); // nothing is cached before
    assertThat(after(byRdds.get(1))).containsOnly(new Seen(1, false, true));
    assertThat(byRdds.get(2)).startsWith(new Seen(2, true, true));
    assertThat(after(byRdds.get(2))).containsOnly(new Seen(2, false, true));
    assertThat(byRdds.get(3)).containsExactly(new Seen(3, true, true), new Seen(3, false, false));
  }

  private static List<Seen> after(List<Seen> stages) {
    return stages.subList(1, stages.size());
  }

  /** Of a table, a fold of it, and objects made from the fold, each read twice. */
  private static Map<Integer, List<Seen>> stages() throws Exception {
    List<Seen> seen = new CopyOnWriteArrayList<>();
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      CachingStages caching = new CachingStages();
      spark
          .sc()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onStageSubmitted(SparkListenerStageSubmitted event) {
                  StageInfo stage = event.stageInfo();
                  caching.submitted(stage);
                  int rdds = CachingStages.all(stage).size();
                  if (rdds > 0) {
                    boolean reads =
                        MllibStages.readsDataFrames(spark.sc(), stage, caching.found(stage));
                    seen.add(new Seen(rdds, caching.isCaching(stage), reads));
                  }
                }
              });
      SparkSession session = SparkSession.builder().sparkContext(spark.sc()).getOrCreate();
      Dataset<Row> table = session.range(0, 100, 1, 4).toDF("id").cache();
      Dataset<Row> fold =
          session
              .createDataFrame(
                  table.toJavaRDD().filter(row -> row.getLong(0) % 3 > 0), table.schema())
              .cache();
      JavaRDD<Long> objects = fold.toJavaRDD().map(row -> row.getLong(0)).cache();
      for (int time = 0; time < 2; time++) {
        assertThat(table.count()).isEqualTo(100);
        spark.sc().listenerBus().waitUntilEmpty(BUS_MILLIS);
      }
      for (int time = 0; time < 2; time++) {
        assertThat(fold.count()).isEqualTo(66);
        spark.sc().listenerBus().waitUntilEmpty(BUS_MILLIS);
      }
      for (int time = 0; time < 2; time++) {
        assertThat(objects.count()).isEqualTo(66);
        spark.sc().listenerBus().waitUntilEmpty(BUS_MILLIS);
      }
    }
    return seen.stream().collect(Collectors.groupingBy(Seen::rdds));
  }
}
