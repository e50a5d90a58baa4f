package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.CachedBlocks.Block;
import io.sparkata.spark.DriverLine;
import io.sparkata.testing.LocalSpark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Moves among simulated executors, whose questions, answers and reports are lost or come twice,
 * which fail, leave and join, while RDDs are unpersisted: no partition is lost by a move, and none
 * has two holders at the end. {@code scripts/test --long simulation} tries more.
 */
class CacheMovesSimulationTest {
  /** A seed costs forty times one of the driver's loop. */
  private static final int SEEDS =
      Math.max(50, Integer.getInteger("ata.simulation.seeds", 2000) / 40);

  private static final int FIRST = Integer.getInteger("ata.simulation.seed", 1);
  private static final int STEPS = 150;
  private static final int PARTITIONS = 4;

  private final JavaSparkContext spark = LocalSpark.startPlain(Map.of());

  @AfterEach
  void close() {
    spark.close();
  }

  @Test
  void moves_underFaults_keepOneHolder() throws Exception {
    int moved = 0;
    int unpersisted = 0;
    for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
      try (Simulation simulation = new Simulation(seed)) {
        for (int step = 0; step < STEPS; step++) {
          simulation.step();
        }
        simulation.settle();
        simulation.check();
        moved += simulation.moves.moved();
        unpersisted += simulation.isPersisted() ? 0 : 1;
      }
    }
    assertThat(moved).as("moves").isGreaterThan(2 * SEEDS);
    assertThat(unpersisted).as("unpersisted in between").isBetween(SEEDS / 10, SEEDS * 9 / 10);
  }

  /** An executor with what it has to report. */
  private static final class Member {
    final String id;
    Object[] order;
    Object[] report;

    Member(String id) {
      this.id = id;
    }
  }

  private final class Simulation implements AutoCloseable {
    private final int seed;
    private final Random random;
    private final JavaRDD<Integer> rdd = spark.parallelize(List.of(1), PARTITIONS).cache();
    private final CacheMoves moves = new CacheMoves(spark.sc(), /* isOpen= */ true);
    private final Map<String, Member> members = new TreeMap<>();
    private final Map<Integer, Set<String>> holders = new HashMap<>();
    private final Set<Integer> lost = new TreeSet<>();
    private final List<String> story = new ArrayList<>();
    private int started;
    private boolean isRemoved;
    private boolean isProbed;

    Simulation(int seed) {
      this.seed = seed;
      this.random = new Random(seed);
      IntStream.range(0, 3).forEach(unused -> join());
      for (int partition = 0; partition < PARTITIONS; partition++) {
        holders.put(partition, new TreeSet<>(Set.of(any(members.keySet()))));
      }
    }

    private void join() {
      Member member = new Member(Integer.toString(++started));
      members.put(member.id, member);
    }

    private String any(Set<String> ids) {
      return List.copyOf(ids).get(random.nextInt(ids.size()));
    }

    boolean isPersisted() {
      return rdd.getStorageLevel().isValid();
    }

    void step() throws Exception {
      int chance = random.nextInt(300);
      if (chance < 75) {
        moves.retain(members.keySet());
        wantMove();
      } else if (chance < 78) {
        leave(any(members.keySet()));
      } else if (chance < 79 && isPersisted()) {
        unpersist();
      } else {
        act(members.get(any(members.keySet())), /* canFail= */ true);
      }
    }

    /** Spark removes the blocks before the RDD is no longer persisted for the driver. */
    private void unpersist() throws Exception {
      story.add("unpersist");
      isRemoved = true;
      holders.values().forEach(Set::clear);
      for (int i = random.nextInt(10); i > 0; i--) {
        act(members.get(any(members.keySet())), /* canFail= */ true);
      }
      rdd.unpersist(/* blocking= */ true);
      moves.forget(rdd.id());
    }

    /** As the balancer does after a stage. */
    private void wantMove() {
      if (!isPersisted()) {
        return;
      }
      int partition = random.nextInt(PARTITIONS);
      Set<String> now = holders.get(partition);
      if (now.isEmpty()) {
        return;
      }
      Block block =
          new Block(rdd.id(), partition, any(now), 1000, /* level= */ 5, /* isMovable= */ true);
      boolean isProbed = moves.canMove(rdd.id());
      boolean mayMove = isProbed || (moves.mayMove(rdd.id()) && random.nextBoolean());
      if (!isProbed) {
        moves.probe(block, /* factor= */ 1);
      }
      String to = any(members.keySet());
      if (mayMove && now.size() == 1 && !now.contains(to)) {
        story.add("move " + partition + " from " + block.executor() + " to " + to);
        moves.add(List.of(block), to);
      }
    }

    private void leave(String id) {
      story.add("leaves " + id);
      members.remove(id);
      holders.forEach(
          (partition, of) -> {
            if (of.remove(id) && of.isEmpty()) {
              lost.add(partition);
            }
          });
      join();
      moves.retain(members.keySet());
    }

    /** Carries out an order, or asks for one. */
    private void act(Member member, boolean canFail) throws Exception {
      if (member.order != null) {
        boolean isDone = carryOut(member, canFail);
        story.add(member.id + " " + member.order[0] + " " + member.order[3] + " " + isDone);
        member.report = new Object[] {member.id, member.order[1], isDone, 5L};
        member.order = null;
        return;
      }
      if (canFail && random.nextInt(5) == 0) {
        return; // its question is lost
      }
      Object[] message = member.report != null ? member.report : new Object[] {member.id};
      Object[] answer = ask(message);
      if (canFail && random.nextInt(10) == 0) {
        answer = ask(message); // comes twice
      }
      if (canFail && random.nextInt(5) == 0) {
        return; // the answer is lost
      }
      member.report = null;
      member.order = answer[0].equals(CacheMoves.NONE) ? null : answer;
    }

    private Object[] ask(Object[] message) throws Exception {
      return DriverLine.to(CacheMoves.NAME).ask(message, 10, () -> false);
    }

    private boolean carryOut(Member member, boolean canFail) {
      Set<String> of = holders.get((Integer) member.order[3]);
      switch ((String) member.order[0]) {
        case CacheMoves.PROBE -> {
          isProbed |= of.contains(member.id);
          return of.contains(member.id);
        }
        case CacheMoves.COPY -> {
          assertThat(isProbed).as("a copy before a probe").isTrue();
          // A fetch may have begun before the RDD was unpersisted.
          boolean isFetched = !of.isEmpty() || (isRemoved && random.nextBoolean());
          boolean isDone = isFetched && !(canFail && random.nextInt(20) == 0);
          if (isDone) {
            of.add(member.id);
          }
          return isDone;
        }
        case CacheMoves.DROP -> {
          return of.size() > 1 && of.remove(member.id);
        }
        default -> {
          return of.remove(member.id);
        }
      }
    }

    /** Until no executor has anything to do. */
    void settle() throws Exception {
      for (int quiet = 0; quiet < 2; quiet++) {
        for (Member member : members.values()) {
          do {
            act(member, /* canFail= */ false);
            if (member.order != null || member.report != null) {
              quiet = 0;
            }
          } while (member.order != null || member.report != null);
        }
      }
    }

    void check() {
      holders.forEach(
          (partition, of) ->
              assertThat(of)
                  .as("seed %d: holders of %d; %s", seed, partition, String.join(", ", story))
                  .hasSize(isPersisted() && !lost.contains(partition) ? 1 : 0));
      moves.retain(members.keySet());
      if (moves.moved() > 0 && moves.failed() < 4 && isPersisted()) {
        assertThat(moves.canMove(rdd.id())).as("seed %d: %s", seed, story).isTrue();
      }
    }

    @Override
    public void close() {
      moves.close();
      rdd.unpersist(/* blocking= */ false);
    }
  }
}
