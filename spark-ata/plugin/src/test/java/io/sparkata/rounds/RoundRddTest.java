package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.AtaPlugin;
import io.sparkata.blocks.BlockPacker;
import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.spark.SparkInternals;
import io.sparkata.testing.TestData;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Tasks that Spark starts on the one executor of local mode, wherever they are aimed at. */
class RoundRddTest {
  private static final int FEATURES = 3;
  private static final String HERE = "driver";

  private JavaSparkContext spark;
  private List<BlockRef> blocks;

  @BeforeEach
  void packTwoPartitions() {
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[2]")
                .setAppName("round-rdd-test")
                .set("spark.ui.enabled", "false")
                .set("spark.plugins", AtaPlugin.class.getName())
                .set("spark.ata.enabled", "true"));
    RDD<Tuple2<Object, Vector>> data =
        TestData.partitions(spark, TestData.rows(20, FEATURES, false, 1), 2);
    blocks =
        new BlockPacker(data, 1 << 20)
            .pack(SparkInternals.newRddId(spark.sc()), new int[] {0, 1}).stream()
                .flatMap(partition -> partition.blocks().stream())
                .toList();
    assertThat(blocks).hasSize(2);
  }

  @AfterEach
  void stop() {
    spark.close();
  }

  @Test
  void compute_whereAimed_dropsStaleReplicas() {
    run(HERE);

    assertThat(holders()).containsExactly(List.of(HERE), List.of());
  }

  /** A copy of the task, or one whose executor is gone: what it finds may be the only copy. */
  @Test
  void compute_elsewhere_leavesBlocksAlone() {
    run("another");

    assertThat(holders()).containsExactly(List.of(HERE), List.of(HERE));
  }

  /** One task for all rows of the first block, to whose executor the second one is stale. */
  private void run(String executor) {
    SparkContext context = spark.sc();
    List<Span> spans = List.of(new Span(0, blocks.get(0), 0, blocks.get(0).rows()));
    RoundPartition task = new RoundPartition(0, executor, "host", spans, List.of(blocks.get(1)));
    try (RoundAccumulators meter = new RoundAccumulators(context);
        Weights weights = Weights.of(spark, new double[FEATURES])) {
      RoundRdd round =
          new RoundRdd(
              context,
              List.of(task),
              new LogisticGradient(),
              weights,
              /* fraction= */ 1.0,
              /* seed= */ 1,
              meter,
              /* repeatNanos= */ 0);
      RoundSum sum = Aggregation.sum(context, round, /* tasks= */ 1, FEATURES);
      assertThat(sum.count()).isEqualTo(blocks.get(0).rows());
    }
  }

  private List<List<String>> holders() {
    return SparkInternals.holders(spark.sc(), blocks.stream().map(BlockRef::id).toList());
  }
}
