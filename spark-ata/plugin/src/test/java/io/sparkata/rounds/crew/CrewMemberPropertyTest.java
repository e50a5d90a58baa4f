package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.RowSelection;
import io.sparkata.blocks.SharedSampler;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.crew.CrewProtocol.Brought;
import io.sparkata.rounds.crew.PullMessages.Pulled;
import io.sparkata.spark.Serialized;
import io.sparkata.testing.LocalSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A crew of real members on the one executor of local mode. Its letters come late or twice, its
 * blocks are bad, its gradient throws. What it brings is the sum of the right rows, or nothing.
 */
@Tag("spark")
@Timeout(60)
class CrewMemberPropertyTest extends LocalSuite {
  private static final int CREWS = 30;
  private static final int ROUNDS = 8;
  private static final int PATIENCE = 1000;

  /** Of a round by message; only such a crew has any. */
  private static final double DISTURBED = 0.05;

  private StoredRows stored;
  private Executor here;
  private Crew crew;
  private int sums;
  private int troubles;

  @Test
  void rounds_lettersLateOrTwiceAndBlocksBad_sumTheRightRowsOrNone() throws InterruptedException {
    for (long seed = 1; seed <= CREWS; seed++) {
      boolean isDisturbed = seed % 2 == 0;
      stored = new StoredRows(sc(), seed, /* badOfTwelve= */ seed % 4 == 0 ? 1 : 0);
      Random random = stored.random();
      here = new Executor("driver", "host", 1 + random.nextInt(3), 0, Device.CPU);
      LocalCrewHost host = new LocalCrewHost(sc(), new Random(seed), isDisturbed ? DISTURBED : 0);
      crew = new Crew(host, List.of(here));
      try {
        for (int round = 1; round <= ROUNDS; round++) {
          boolean throwsOnce = isDisturbed && random.nextInt(12) == 0;
          LongSum summand = throwsOnce ? new LongSum(LongSum.NEVER, 0) : LongSum.undisturbed();
          long number = -seed * ROUNDS - round;
          if (random.nextBoolean()) {
            handOut(number, summand, isDisturbed);
          } else {
            pull(number, summand, isDisturbed);
          }
        }
      } catch (CrewTrouble | IllegalStateException trouble) {
        assertThat(isDisturbed).as("crew %s without a fault: %s", seed, trouble).isTrue();
        troubles++;
      }
      crew.close();
      assertThat(host.isFree()).as("slots of crew %s", seed).isTrue();
      assertThat(host.wasCancelled() && !isDisturbed).as("crew %s cancelled", seed).isFalse();
      assertThat(SharedSampler.openRounds()).isZero();
      stored.remove();
    }
    assertThat(sums).as("healthy 900; %s troubles", troubles).isGreaterThan(500);
  }

  /** Tasks that the driver hands out. */
  private void handOut(long number, LongSum summand, boolean isDisturbed)
      throws CrewTrouble, InterruptedException {
    Random random = stored.random();
    RowSelection selection = new RowSelection(1 - random.nextDouble(), number);
    List<List<Span>> parts = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    List<Span> spans = stored.spans();
    spans.forEach(span -> parts.get(random.nextInt(parts.size())).add(span));
    byte[][] tasks =
        parts.stream()
            .map(own -> Serialized.work(new RoundTask(here, own, List.of(), List.of())))
            .toArray(byte[][]::new);
    byte[] shared = Serialized.work(new RoundShared<>(summand, selection));

    List<Brought> brought =
        crew.run(
            number,
            new Handout(shared, Map.of(here.id(), tasks)),
            /* trials= */ () -> Handout.NOTHING,
            () -> Set.of(here.id()),
            PATIENCE);

    assertThat(brought).hasSize(1);
    CrewMessages.Done done = brought.get(0).done();
    assertThat(done.round()).isEqualTo(number);
    if (done.failure() != null) {
      assertThat(isDisturbed).as("a fault before %s", done.failure()).isTrue();
      return;
    }
    sums++;
    @SuppressWarnings("unchecked") // of the summand
    RoundResult<Long> result = (RoundResult<Long>) Serialized.result(done.sum());
    List<Span> good = spans.stream().filter(span -> stored.isGood(span.ref())).toList();
    assertThat(result.sum())
        .as("sum of round %s", number)
        .isEqualTo(good.stream().mapToLong(span -> stored.sum(span, selection)).sum());
    assertThat(result.covered()).as("spans of round %s", number).hasSameSizeAs(good);
  }

  /** Micro-tasks that the members pull. */
  private void pull(long number, LongSum summand, boolean isDisturbed)
      throws CrewTrouble, InterruptedException {
    Random random = stored.random();
    MicroShare<Long> share =
        new MicroShare<>(summand, List.copyOf(stored.blocks()), 1 + random.nextInt(20), number);
    long rows = random.nextLong(1, 100);
    List<Pulled> all = new ArrayList<>();

    crew.pull(
        number, Map.of(here.id(), Serialized.work(share)), rows, () -> Set.of(here.id()), all::add);

    assertThat(all).extracting(Pulled::number).as("round %s", number).doesNotHaveDuplicates();
    for (Pulled pulled : all) {
      sums++;
      long[] drawn = share.draw(pulled.number());
      assertThat(pulled.round()).isEqualTo(number);
      assertThat(pulled.rows()).isEqualTo(drawn.length);
      assertThat(Serialized.result(pulled.sum()))
          .as("sum of %s of round %s", pulled.number(), number)
          .isEqualTo(stored.sum(drawn));
    }
    long counted = all.stream().mapToLong(Pulled::rows).sum();
    assertThat(counted).as("rows of round %s", number).isGreaterThanOrEqualTo(rows);
    assertThat(isDisturbed || summand.failsAt() == LongSum.NEVER).isTrue();
  }
}
