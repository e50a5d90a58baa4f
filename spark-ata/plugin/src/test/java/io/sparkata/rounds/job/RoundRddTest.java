package io.sparkata.rounds.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.AtaPlugin;
import io.sparkata.blocks.BlockPacker;
import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.RowSelection;
import io.sparkata.blocks.Span;
import io.sparkata.blocks.StoredBlock;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.rounds.Round;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.rounds.RoundPlan;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.Summand;
import io.sparkata.spark.SparkBlocks;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.TestData;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Tasks that Spark starts on the one executor of local mode, wherever they are aimed at. */
@Tag("spark")
class RoundRddTest {
  private static final int FEATURES = 3;
  private static final String HERE = "driver";

  private JavaSparkContext spark;
  private List<BlockRef> blocks;

  @BeforeEach
  void packTwoPartitions() {
    spark =
        LocalSpark.startPlain(
            Map.of("spark.plugins", AtaPlugin.class.getName(), "spark.ata.enabled", "true"));
    RDD<Tuple2<Object, Vector>> data =
        TestData.partitions(spark, TestData.rows(20, FEATURES, false, 1), 2);
    blocks =
        new BlockPacker(data, 1 << 20)
            .pack(SparkBlocks.newRddId(spark.sc()), new int[] {0, 1}).stream()
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
    Executor aimedAt = new Executor(executor, "host", /* slots= */ 1, 0, Device.CPU);
    RoundTask task = new RoundTask(aimedAt, spans, List.of(blocks.get(1)), List.of());
    PlacementPlan placement =
        new PlacementPlan(Members.of(List.of(aimedAt)), List.of(spans), List.of(), List.of(), 0, 0);
    RoundPlan plan =
        new RoundPlan(
            new int[] {1},
            1,
            Optional.empty(),
            placement,
            List.of(task),
            /* trials= */ List.of(),
            Set.of(),
            0,
            0);
    try (RoundAccumulators accumulators = new RoundAccumulators(context)) {
      Round<Count> round = new Round<>(new CountRows(), RowSelection.all(), plan, 1);
      RoundResult<Count> result =
          Aggregation.sum(new RoundRdd<>(context, round, accumulators), round.summand(), 1);
      assertThat(result.sum().rows).isEqualTo(blocks.get(0).rows());
      assertThat(result.covered()).hasSize(1);
    }
  }

  /** The simplest sum of all. */
  private static final class Count implements Serializable {
    private static final long serialVersionUID = 1L;
    private long rows;
  }

  private static final class CountRows implements Summand<Count> {
    private static final long serialVersionUID = 1L;

    @Override
    public CountRows lasting() {
      return this;
    }

    @Override
    public Count zero() {
      return new Count();
    }

    @Override
    public Count merge(Count left, Count right) {
      left.rows += right.rows;
      return left;
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public Partial<Count> begin(TaskContext task) {
      Count sum = new Count();
      return new Partial<>() {
        @Override
        public void add(StoredBlock block, int[] rows, int first, int count) {
          sum.rows += count;
        }

        @Override
        public Count sum() {
          return sum;
        }
      };
    }
  }

  private List<List<String>> holders() {
    return SparkBlocks.holders(spark.sc(), blocks.stream().map(BlockRef::id).toList());
  }
}
