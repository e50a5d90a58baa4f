package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cache.PartitionPlan.Plan;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.events.CachedStages;
import io.sparkata.spark.CachedBlocks.Block;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CacheGainsTest {
  private static final List<Integer> RDDS = List.of(7);
  private static final StageCosts SECONDS = // of a partition, on executor a and on b
      new StageCosts(new double[2], new double[] {1, 3}, new int[] {1, 1});

  private static final StageLoad SLOW = load(0, 0, 1, 1); // 6 s, with one on the slow executor 3
  private static final StageLoad BALANCED = load(0, 0, 0, 1);

  private static StageLoad load(int... at) {
    List<Executor> executors =
        Stream.of("a", "b").map(id -> new Executor(id, "host", 1, 0, Device.CPU)).toList();
    List<CachedPartition> partitions =
        IntStream.range(0, at.length)
            .mapToObj(p -> new CachedPartition(List.of(block(p, executors.get(at[p]).id()))))
            .toList();
    double[] weights = IntStream.range(0, at.length).mapToDouble(p -> 1).toArray();
    return new StageLoad(
        executors, partitions, weights, at, new boolean[2], SECONDS, List.of(SECONDS));
  }

  /** {@link #SLOW} with other seconds. */
  private static StageLoad slow(StageCosts usual, StageCosts ofStage) {
    return new StageLoad(
        SLOW.executors(),
        SLOW.partitions(),
        SLOW.weights(),
        SLOW.at(),
        new boolean[2],
        usual,
        List.of(ofStage));
  }

  private static Block block(int partition, String executor) {
    return new Block(7, partition, executor, 10, /* level= */ 5, /* isMovable= */ true);
  }

  private static void add(CacheGains gains, List<Integer> rdds, StageLoad stage) {
    double took = stage.seconds(stage.at()) + 0.5;
    Optional<Plan> plan = Optional.of(stage.plan()).filter(stage::isWorthIt);
    gains.add(rdds.get(0), "rows", took, stage, plan, /* isLight= */ false);
  }

  private static String line(CacheGains gains, StageLoad... stages) {
    return line(Optional.empty(), gains, stages);
  }

  private static String lineOfMoves(CacheGains gains, StageLoad... stages) {
    return line(Optional.of("blocks moved=1"), gains, stages);
  }

  private static String line(Optional<String> moves, CacheGains gains, StageLoad... stages) {
    for (StageLoad stage : stages) {
      add(gains, RDDS, stage);
    }
    return gains.line(moves).orElse("none");
  }

  private static CacheGains observing() {
    return new CacheGains(Optional.of("spark.ata.cache=balance"));
  }

  private static CacheGains balancing() {
    return new CacheGains(Optional.empty());
  }

  @Test
  void line_noStage_isNone() {
    assertThat(line(observing())).isEqualTo("none");
  }

  @Test
  void line_observing_isWhatAPlanWouldSave() {
    assertThat(line(observing(), SLOW, SLOW, BALANCED))
        .isEqualTo(
            "Spark ATA: 3 stages over cached partitions took 16.5 s in all; balanced ones would"
                + " have saved 6.000 s. Set spark.ata.cache=balance");
  }

  /** It would take 3 s with three partitions on the fast executor, 2 s as it is. */
  @Test
  void line_observing_countsWhatLightStagesWouldLose() {
    CacheGains gains = observing();
    add(gains, RDDS, SLOW);
    add(gains, RDDS, SLOW);
    StageCosts even = new StageCosts(new double[2], new double[] {1, 1}, new int[] {1, 1});
    StageLoad light = slow(SECONDS, even);
    gains.add(7, "rows", /* took= */ 2, light, Optional.empty(), /* isLight= */ true);

    assertThat(gains.line(Optional.empty()))
        .hasValueSatisfying(
            line -> assertThat(line).contains("balanced ones would have saved 5.000 s"));
  }

  /** After the first stage one partition would move, and after the second one return. */
  @Test
  void line_observing_plansFromWherePartitionsWouldBe() {
    StageCosts even = new StageCosts(new double[2], new double[] {1.5, 1.5}, new int[] {1, 1});
    CacheGains gains = observing();
    add(gains, RDDS, SLOW); // 6 s, or 3 s with three on the fast one
    StageLoad other = slow(even, even);
    for (int stage = 0; stage < 2; stage++) { // 3 s, or 4.5 s with three on one
      add(gains, RDDS, other);
    }

    assertThat(gains.line(Optional.empty()))
        .hasValueSatisfying(
            line -> assertThat(line).contains("balanced ones would have saved 3.000 s"));
  }

  @Test
  void line_balancing_isTheDifferenceToTheFirstPlaces() {
    assertThat(lineOfMoves(balancing(), SLOW, BALANCED, BALANCED))
        .isEqualTo(
            "Spark ATA: 3 stages over cached partitions took 13.5 s in all; moved partitions saved"
                + " 6.000 s (blocks moved=1)");
  }

  /** As k-means caches the norms of rows that have moved. */
  @Test
  void line_balancing_countsFromWhereTheOldestRddWas() {
    CacheGains gains = balancing();
    add(gains, RDDS, SLOW);
    add(gains, List.of(7, 9), BALANCED);

    assertThat(lineOfMoves(gains, BALANCED)).contains("moved partitions saved 6.000 s");
  }

  @Test
  void event_ofAnRdd_hasItsStagesOnly() {
    CacheGains gains = balancing();
    add(gains, RDDS, SLOW);
    add(gains, List.of(8), SLOW);
    add(gains, RDDS, BALANCED);

    assertThat(gains.event(7, /* time= */ 99, new CacheMoves.Moved(2, 50)))
        .isEqualTo(new CachedStages(7, 99, "rows", true, 2, 10.0, 3.0, 2, 50L));
  }

  @Test
  void line_nothingToGain_saysSo() {
    CacheGains another = balancing();
    assertThat(lineOfMoves(another, BALANCED)).endsWith("saved nothing certain (blocks moved=1)");
    another.forget(7); // the next RDD has first places of its own
    assertThat(lineOfMoves(another, SLOW)).endsWith("saved nothing certain (blocks moved=1)");
    assertThat(line(observing(), BALANCED)).isEqualTo("none");
    assertThat(line(balancing(), BALANCED)).isEqualTo("none");
  }

  /** Each of two executors holds one of two, and one is three times as slow. */
  @Test
  void line_fewPartitions_namesAsManyAsWouldDo() {
    StageLoad few = load(0, 1); // 3 s, or 1.5 s if partitions could be divided

    assertThat(line(observing(), few, few))
        .isEqualTo(
            "Spark ATA: 2 stages over cached partitions took 7.000 s in all; balanced ones would"
                + " have saved nothing certain. rows has 2 cached partitions for 2"
                + " slots: repartition(16), balanced, could have saved at most 3.000 s");
    assertThat(line(balancing(), few, few))
        .startsWith(
            "Spark ATA: 2 stages over cached partitions took 7.000 s in all; none was moved. rows");
    assertThat(lineOfMoves(balancing(), few, few))
        .endsWith(
            "saved nothing certain (blocks moved=1). rows has 2 cached partitions for 2"
                + " slots: repartition(16), balanced, could have saved at most 3.000 s");
    assertThat(
            lineOfMoves(
                balancing(), load(0, 0), load(0, 0))) // 2 s, a quarter of 2.5 is more than 0.5
        .endsWith("saved nothing certain (blocks moved=1)");
  }

  @Test
  void line_enoughPartitions_namesNone() {
    StageLoad enough = load(0, 0, 0, 0, 1, 1, 1, 1); // of which two would move

    assertThat(lineOfMoves(balancing(), enough, enough, enough)).endsWith("(blocks moved=1)");
  }
}
