package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.CachedBlocks.Block;
import io.sparkata.spark.DriverLine;
import io.sparkata.testing.LocalSpark;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders and reports by Spark's RPC, of executors that this test plays. */
class CacheMovesTest {
  private static final String FROM = "1";
  private static final String TO = "2";

  private final JavaSparkContext spark = LocalSpark.startPlain(Map.of());
  private final JavaRDD<Integer> rdd = spark.parallelize(List.of(1, 2), 2).cache();
  private final JavaRDD<Integer> computed = rdd.map(one -> one).cache();
  private final CacheMoves moves = new CacheMoves(spark.sc(), /* isOpen= */ true);

  @BeforeEach
  void probe() throws Exception {
    moves.probe(block(0), 1);
    assertThat(moves.canMove(rdd.id())).isFalse();
  }

  @AfterEach
  void close() {
    moves.close();
    spark.close();
  }

  private Block block(int partition) {
    return new Block(rdd.id(), partition, FROM, 1000, /* level= */ 5, /* isMovable= */ true);
  }

  /** Asks for an order; kind, number, RDD and partition. */
  private static List<Object> ask(Object... message) throws Exception {
    Object[] order = DriverLine.to(CacheMoves.NAME).ask(message, 10, () -> false);
    return List.of(order).subList(0, Math.min(4, order.length));
  }

  private List<Object> order(String kind, long number, int partition) {
    return List.of(kind, number, rdd.id(), partition);
  }

  private void probed(boolean canSend) throws Exception {
    assertThat(ask(FROM)).isEqualTo(order(CacheMoves.PROBE, 1, 0));
    assertThat(ask(FROM, 1L, canSend, 1_000_000_000L)).containsExactly(CacheMoves.NONE);
    assertThat(moves.canMove(rdd.id())).isEqualTo(canSend);
    assertThat(moves.seconds(List.of(block(0), block(1)))).isEqualTo(canSend ? 2 : 4e-5);
  }

  @Test
  void copied_theOldHolderDrops() throws Exception {
    probed(true);
    moves.add(List.of(block(0)), TO);
    assertThat(moves.canMove(rdd.id())).as("on its way").isFalse();
    assertThat(ask(TO)).isEqualTo(order(CacheMoves.COPY, 2, 0));
    assertThat(ask(TO, 2L, true, 500_000_000L)).containsExactly(CacheMoves.NONE);
    assertThat(ask(FROM)).isEqualTo(order(CacheMoves.DROP, 3, 0));
    assertThat(ask(FROM, 3L, true, 5L)).containsExactly(CacheMoves.NONE);

    assertThat(moves.canMove(rdd.id())).isTrue();
    assertThat(moves.moved()).isEqualTo(1);
  }

  @Test
  void drop_spares_onlyWhileTheRddDoesNotMove() throws Exception {
    probed(true);
    moves.drop(List.of(block(0), block(1)));
    moves.drop(List.of(block(2)));
    assertThat(ask(FROM)).isEqualTo(order(CacheMoves.DROP, 2, 0));
    assertThat(ask(FROM, 2L, true, 5L)).isEqualTo(order(CacheMoves.DROP, 3, 1));
    assertThat(ask(FROM, 3L, true, 5L)).containsExactly(CacheMoves.NONE);
    assertThat(moves.moved()).isZero();
  }

  /** An answer or a report that is lost is sent again. */
  @Test
  void ask_again_isTheSameOrderAndCountsOnce() throws Exception {
    probed(true);
    moves.add(List.of(block(0)), TO);
    moves.add(List.of(block(1)), TO);
    assertThat(ask(TO)).isEqualTo(order(CacheMoves.COPY, 2, 0));
    assertThat(ask(TO)).isEqualTo(order(CacheMoves.COPY, 2, 0));
    assertThat(ask(TO, 2L, true, 5L)).isEqualTo(order(CacheMoves.COPY, 3, 1));
    assertThat(ask(TO, 2L, true, 5L)).isEqualTo(order(CacheMoves.COPY, 3, 1));

    assertThat(moves.moved()).isEqualTo(1);
    assertThat(ask(FROM)).isEqualTo(order(CacheMoves.DROP, 4, 0));
  }

  /** What a stage has just computed moves with what it is made from. */
  @Test
  void add_notProbed_isOrderedOnceTheProbeSucceeds() throws Exception {
    probed(true);
    addBoth();
    assertThat(ask(TO)).as("the probe is not yet back").containsExactly(CacheMoves.NONE);
    assertThat(moves.canMove(rdd.id())).as("waits").isFalse();
    assertThat(ask(FROM)).isEqualTo(List.of(CacheMoves.PROBE, 2L, computed.id(), 0));
    assertThat(ask(FROM, 2L, true, 5L)).containsExactly(CacheMoves.NONE);

    assertThat(ask(TO)).isEqualTo(order(CacheMoves.COPY, 3, 0));
    assertThat(ask(TO, 3L, true, 5L)).isEqualTo(List.of(CacheMoves.COPY, 4L, computed.id(), 0));
    assertThat(moves.mayMove(computed.id())).as("on its way").isFalse();
  }

  /** Spark would keep a block locked whose elements cannot be serialized. */
  @Test
  void add_probeFails_movesNeither() throws Exception {
    probed(true);
    addBoth();
    assertThat(ask(FROM)).isEqualTo(List.of(CacheMoves.PROBE, 2L, computed.id(), 0));
    assertThat(ask(FROM, 2L, false, 5L)).containsExactly(CacheMoves.NONE);

    assertThat(ask(TO)).containsExactly(CacheMoves.NONE);
    assertThat(moves.mayMove(computed.id())).isFalse();
    assertThat(moves.canMove(rdd.id())).as("with others").isTrue();
  }

  @Test
  void retain_executorOfTheProbeOrTheMoveIsGone_isForgotten() throws Exception {
    probed(true);
    addBoth();
    moves.retain(Set.of(TO)); // and the probe with it
    moves.retain(Set.of(FROM, TO));
    moves.probe(computedBlock(), 1);
    assertThat(ask(FROM)).isEqualTo(List.of(CacheMoves.PROBE, 3L, computed.id(), 0));
    assertThat(ask(FROM, 3L, true, 5L)).containsExactly(CacheMoves.NONE);
    assertThat(ask(TO)).containsExactly(CacheMoves.NONE);

    moves.forget(computed.id());
    addBoth();
    moves.retain(Set.of(FROM));
    assertThat(ask(FROM)).isEqualTo(List.of(CacheMoves.PROBE, 4L, computed.id(), 0));
    assertThat(ask(FROM, 4L, true, 5L)).containsExactly(CacheMoves.NONE);
    assertThat(ask(TO)).containsExactly(CacheMoves.NONE);
  }

  /** A fold may be gone before its probe is back. */
  @Test
  void probed_afterUnpersist_teachesNothing() throws Exception {
    probed(true);
    addBoth();
    assertThat(ask(FROM)).isEqualTo(List.of(CacheMoves.PROBE, 2L, computed.id(), 0));
    computed.unpersist(/* blocking= */ true);
    moves.forget(computed.id());
    assertThat(ask(FROM, 2L, false, 5L)).containsExactly(CacheMoves.NONE);

    assertThat(moves.failed()).isZero();
    assertThat(moves.canMove(rdd.id())).isTrue();
  }

  private Block computedBlock() {
    return new Block(computed.id(), 0, FROM, 1000, /* level= */ 5, /* isMovable= */ true);
  }

  /** Moves a partition of which one RDD is not probed. */
  private void addBoth() {
    assertThat(moves.canMove(computed.id())).isFalse();
    assertThat(moves.mayMove(computed.id())).isTrue();
    moves.probe(computedBlock(), 1);
    moves.add(List.of(block(0), computedBlock()), TO);
  }

  @Test
  void probed_cannotBeSent_staysForGood() throws Exception {
    probed(false);
    assertThat(moves.mayMove(rdd.id())).isFalse();
    moves.probe(block(1), 1);

    assertThat(ask(FROM)).containsExactly(CacheMoves.NONE);
    moves.forget(rdd.id());
    moves.probe(block(1), 1);
    assertThat(ask(FROM)).isEqualTo(order(CacheMoves.PROBE, 2, 1));
  }

  /** A first probe may have been held up, a later one may find the partition gone. */
  @Test
  void probe_again_canOnlyLowerThePrice() throws Exception {
    probed(true);
    moves.probe(block(0), 1); // not again
    moves.probeAgain(block(0), 1);
    assertThat(ask(FROM)).isEqualTo(order(CacheMoves.PROBE, 2, 0));
    assertThat(ask(FROM, 2L, true, 100_000_000L)).containsExactly(CacheMoves.NONE);
    moves.probeAgain(block(0), 1);
    assertThat(ask(FROM)).isEqualTo(order(CacheMoves.PROBE, 3, 0));
    assertThat(ask(FROM, 3L, false, -1L)).containsExactly(CacheMoves.NONE);

    assertThat(moves.seconds(List.of(block(0)))).isEqualTo(0.1);
    assertThat(moves.canMove(rdd.id())).isTrue();
  }

  /** The fastest executor is asked; the slowest one's sends are to be paid. */
  @Test
  void probeAgain_factor_isOfThePrice() throws Exception {
    probed(true);
    moves.probeAgain(block(0), /* factor= */ 8);
    assertThat(ask(FROM)).isEqualTo(order(CacheMoves.PROBE, 2, 0));
    assertThat(ask(FROM, 2L, true, 10_000_000L)).containsExactly(CacheMoves.NONE);

    assertThat(moves.seconds(List.of(block(0)))).isEqualTo(0.08);
  }

  @Test
  void copied_failsFourTimes_staysForGood() throws Exception {
    probed(true);
    for (long number = 2; number <= 5; number++) {
      assertThat(moves.canMove(rdd.id())).isTrue();
      moves.add(List.of(block(0)), TO);
      assertThat(ask(TO)).isEqualTo(order(CacheMoves.COPY, number, 0));
      assertThat(ask(TO, number, false, 5L)).containsExactly(CacheMoves.NONE);
    }

    assertThat(moves.canMove(rdd.id())).isFalse();
    assertThat(moves.failed()).isEqualTo(4);
    assertThat(moves.moved()).isZero();
  }

  /** It came after Spark had removed the others. */
  @Test
  void copied_afterUnpersist_isRemoved() throws Exception {
    probed(true);
    moves.add(List.of(block(0)), TO);
    assertThat(ask(TO)).isEqualTo(order(CacheMoves.COPY, 2, 0));
    rdd.unpersist(/* blocking= */ true);

    assertThat(ask(TO, 2L, true, 5L)).isEqualTo(order(CacheMoves.REMOVE, 3, 0));
  }

  /** Spark had removed the blocks before the driver forgot that the RDD was persisted. */
  @Test
  void forget_copied_isRemovedUnlessPersistedAgain() throws Exception {
    probed(true);
    moves.add(List.of(block(0)), TO);
    assertThat(ask(TO)).isEqualTo(order(CacheMoves.COPY, 2, 0));
    assertThat(ask(TO, 2L, true, 5L)).containsExactly(CacheMoves.NONE);
    rdd.unpersist(/* blocking= */ true);
    moves.forget(rdd.id());
    assertThat(ask(TO)).isEqualTo(order(CacheMoves.REMOVE, 4, 0));
    assertThat(ask(TO, 4L, true, 5L)).containsExactly(CacheMoves.NONE);
    assertThat(ask(FROM)).isEqualTo(order(CacheMoves.DROP, 3, 0));
    assertThat(ask(FROM, 3L, true, 5L)).containsExactly(CacheMoves.NONE);

    rdd.cache();
    moves.probe(block(0), 1);
    assertThat(ask(FROM)).isEqualTo(order(CacheMoves.PROBE, 5, 0));
    assertThat(ask(FROM, 5L, true, 5L)).containsExactly(CacheMoves.NONE);
    moves.add(List.of(block(0)), TO);
    assertThat(ask(TO)).isEqualTo(order(CacheMoves.COPY, 6, 0));
    assertThat(ask(TO, 6L, true, 5L)).containsExactly(CacheMoves.NONE);
    moves.forget(rdd.id());
    assertThat(ask(TO)).as("persisted again").containsExactly(CacheMoves.NONE);
  }

  @Test
  void retain_executorLost_forgetsItsOrders() throws Exception {
    probed(true);
    moves.add(List.of(block(0)), TO);
    assertThat(ask(TO)).isEqualTo(order(CacheMoves.COPY, 2, 0));
    moves.add(List.of(block(1)), TO);
    moves.retain(Set.of(FROM));

    assertThat(moves.canMove(rdd.id())).isTrue();
    assertThat(ask(TO)).containsExactly(CacheMoves.NONE);
  }
}
