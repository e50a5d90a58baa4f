package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cache.Reads.Measured;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.spark.CachedBlocks.Block;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StageLoadTest {
  private static final List<Executor> EXECUTORS =
      List.of(
          new Executor("a", "host", /* slots= */ 1, 1L << 30, Device.CPU),
          new Executor("b", "host", /* slots= */ 1, 1L << 30, Device.CPU));

  private static final Measured MEASURED =
      new Measured(Map.of("a", 2.0, "b", 4.0), Map.of("a", 0.0, "b", 0.0), 2);

  private static StageLoad load(int bytes) {
    return load(bytes, List.of(MEASURED));
  }

  private static StageLoad load(int bytes, List<Measured> lately) {
    CachedStage stage = new CachedStage(List.of(1), List.of(1), List.of(1), "rows", 2);
    stage.add("a", /* seconds= */ 1, bytes);
    StageSpeeds speeds = new StageSpeeds();
    for (int stages = 0; stages < 2; stages++) { // the first one is cold
      speeds.add(Map.of("a", 2.0, "b", 4.0), Map.of());
    }
    return StageLoad.of(
        stage,
        List.of(
            new CachedPartition(List.of(new Block(1, 0, "a", 10L * bytes, /* level= */ 5, true))),
            new CachedPartition(List.of(new Block(1, 1, "b", 30L * bytes, /* level= */ 5, true)))),
        EXECUTORS,
        speeds,
        lately);
  }

  /** So that seconds of stages that read other RDDs as well compare. */
  @Test
  void weights_bytes_areOverTheirMean() {
    assertThat(load(1).weights()).containsExactly(0.5, 1.5);
    assertThat(load(1000).weights()).containsExactly(0.5, 1.5);
    assertThat(load(1).seconds(new int[] {0, 1})).isEqualTo(6);
  }

  /** Not the one by the usual seconds, nor by the last stage. */
  @Test
  void longestSeconds_severalStages_areThoseOfTheLongest() {
    Measured light = new Measured(Map.of("a", 0.02, "b", 0.04), Map.of(), 0.02);

    assertThat(load(1, List.of(MEASURED, light)).longestSeconds()).isEqualTo(6);
  }

  @Test
  void weights_bytesAreNotCounted_areOne() {
    assertThat(load(0).weights()).containsExactly(1, 1);
  }
}
