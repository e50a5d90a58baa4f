package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.rounds.crew.PullMessages.Next;
import io.sparkata.rounds.crew.PullMessages.Pulled;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PullsTest {
  private static final Object[] QUESTION = {"a", 2};
  private static final byte[] SHARE = {1, 2};
  private static final byte[] SUM = {3};
  private static final long NOW = 100;
  private static final long LATER = 800;

  private final Pulls pulls = new Pulls(Map.of("a", 2, "b", 1));

  private void open(long round, long rows) {
    pulls.open(round, Map.of("a", SHARE, "b", SHARE), rows);
  }

  private Object[] bring(String executor, long round, int number, long rows, long nanos) {
    return pulls.receive(pulled(executor, round, number, rows, nanos, null).with(QUESTION));
  }

  private static Pulled pulled(
      String executor, long round, int number, long rows, long nanos, String failure) {
    return new Pulled(executor, round, number, rows, nanos, nanos / 2, SUM, failure);
  }

  @Test
  void next_afterAnAnswerOfTheRound_sendsNoShare() {
    open(1, 10);

    assertNext(pulls.next("a", NOW), 0, SHARE);
    bring("a", 1, 0, 2, 100);
    assertNext(pulls.next("a", NOW), 1, null);
    assertNext(pulls.next("a", NOW), 2, SHARE); // a new task of Spark's on that executor asks
    assertNext(pulls.next("b", NOW), 0, SHARE);
    assertThat(pulls.next("stranger", NOW)).isNull();

    open(2, 10);
    bring("a", 1, 2, 2, 100);
    assertNext(pulls.next("a", NOW), 0, SHARE);
  }

  private static void assertNext(Object[] answer, int number, byte[] share) {
    assertThat(Next.of(answer).number()).isEqualTo(number);
    assertThat(Next.of(answer).share()).isEqualTo(share);
  }

  @Test
  void receive_untilEnoughRows_countsAndDropsTheRest() throws CrewTrouble {
    open(1, 10);
    pulls.next("a", NOW);
    pulls.next("b", NOW);

    assertThat(bring("a", 1, 0, 6, 100)).isSameAs(QUESTION);
    assertThat(pulls.isEnough()).isFalse();
    pulls.next("a", NOW);
    bring("a", 1, 1, 6, 100);
    assertThat(pulls.isEnough()).isTrue();
    assertThat(pulls.next("a", NOW)).as("the round is over").isNull();
    assertThat(pulls.take()).hasSize(2);
    bring("b", 1, 0, 6, 1000);
    pulls.close();

    assertThat(pulls.take()).isEmpty();
    assertThat(pulls.takeDropped(false, LATER)).containsExactly(Map.entry("b", 1000L));
    assertThat(pulls.takeDropped(false, LATER)).isEmpty();
  }

  @Test
  void receive_workOfAnEarlierRound_isDropped() throws CrewTrouble {
    open(1, 10);
    pulls.next("b", NOW);
    pulls.close();
    open(2, 10);

    bring("b", 1, 0, 6, 1000);

    assertThat(pulls.take()).isEmpty();
    assertThat(pulls.takeDropped(false, LATER)).containsExactly(Map.entry("b", 1000L));
    assertThat(pulls.isAnyoneBusy()).isFalse();
    assertThat(Next.of(pulls.next("b", NOW)).round()).isEqualTo(2);
  }

  @Test
  void receive_theSameAnswerTwice_countsOnce() throws CrewTrouble {
    open(1, 10);
    pulls.next("a", NOW);
    bring("a", 1, 0, 6, 100);
    pulls.next("a", NOW);

    assertThat(bring("a", 1, 0, 6, 100)).isSameAs(QUESTION);

    assertThat(pulls.take()).hasSize(1);
    assertThat(pulls.isAnyoneBusy()).as("with the next one").isTrue();
  }

  @Test
  void next_executorStillHasOne_abandonsIt() throws CrewTrouble {
    open(1, 10);
    pulls.next("b", NOW);
    assertNext(pulls.next("b", LATER), 1, SHARE);

    bring("b", 1, 0, 6, 100);

    assertThat(pulls.take()).isEmpty();
    assertThat(pulls.takeDropped(false, LATER)).containsExactly(Map.entry("b", LATER - NOW));
  }

  /** The driver would wait for work that no executor does, as the signs of life go on. */
  @Test
  void next_executorHasNoPartAndItsTaskStartedAgain_abandonsIt() {
    open(1, 10);
    pulls.next("b", NOW);
    pulls.close();
    pulls.open(2, Map.of("a", SHARE), 10);

    assertThat(pulls.next("b", LATER)).isNull();

    assertThat(pulls.isAnyoneBusy()).isFalse();
    assertThat(pulls.takeDropped(false, LATER)).containsExactly(Map.entry("b", LATER - NOW));
  }

  @Test
  void isWorkedOn_onlyOneWithoutAPartIsBusy_isFalse() {
    open(1, 10);
    pulls.next("a", NOW);
    pulls.next("b", NOW);
    pulls.close();

    pulls.open(2, Map.of("a", SHARE), 10);
    assertThat(pulls.isWorkedOn()).as("a will ask").isTrue();
    bring("a", 1, 0, 6, 100);

    assertThat(pulls.isWorkedOn()).isFalse();
    assertThat(pulls.isAnyoneBusy()).as("b, with what is dropped").isTrue();
  }

  @Test
  void receive_aFailure_endsTheRoundWithIt() {
    open(1, 10);
    pulls.next("a", NOW);
    pulls.receive(pulled("a", 1, 0, 0, 100, "a bug").with(QUESTION));

    assertThatThrownBy(pulls::take)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("executor a failed: a bug");
    open(2, 10);
    pulls.next("a", NOW);
    bring("a", 2, 0, 0, 100);
    assertThatThrownBy(pulls::take)
        .isInstanceOf(CrewTrouble.class)
        .hasMessage("executor a did not read all its rows");
  }

  @Test
  void keep_executorLost_forgetsItsWork() throws CrewTrouble {
    open(1, 10);
    pulls.next("a", NOW);

    pulls.keep(Set.of("b"), LATER);

    assertThat(pulls.isAnyoneBusy()).isFalse();
    assertThat(pulls.takeDropped(false, LATER)).containsExactly(Map.entry("a", 1400L));
    assertThatThrownBy(() -> pulls.keep(Set.of("c"), LATER))
        .isInstanceOf(CrewTrouble.class)
        .hasMessage("all its executors were lost");
  }

  /** Its member may have left without a word. */
  @Test
  void keep_executorSilentForLong_forgetsItsWork() throws CrewTrouble {
    long patience = TimeUnit.SECONDS.toNanos(CrewMember.SILENCE_SECONDS);
    open(1, 10);
    pulls.next("a", NOW);
    pulls.heard("a", NOW + 5);

    pulls.keep(Set.of("a", "b"), NOW + 5 + patience);
    assertThat(pulls.isAnyoneBusy()).isTrue();

    pulls.keep(Set.of("a", "b"), NOW + 6 + patience);
    assertThat(pulls.isAnyoneBusy()).isFalse();
    bring("a", 1, 0, 6, 100);
    assertThat(pulls.take()).as("of work that was given up").isEmpty();
  }

  @Test
  void takeDropped_memberIsStillBusy_countsItIfAsked() {
    open(1, 10);
    pulls.next("a", NOW);

    assertThat(pulls.takeDropped(false, LATER)).isEmpty();
    assertThat(pulls.takeDropped(true, LATER)).containsOnlyKeys("a");
    assertThat(pulls.isAnyoneBusy()).isFalse();
  }

  @Test
  void takeDropped_memberOfTwoSlotsIsBusy_countsBoth() {
    open(1, 10);
    pulls.next("a", NOW);

    assertThat(pulls.takeDropped(true, LATER)).containsExactly(Map.entry("a", 2 * (LATER - NOW)));
  }

  /** Spark's RPC threads do not see classes of a jar on --jars. */
  @Test
  void messages_asArrays_comeBackTheSameAndAreOfTheJdk() {
    Pulled pulled = pulled("a", 3, 2, 4, 5, "a bug");
    Object[] message = pulled.with(QUESTION);

    assertThat(Pulled.of(message)).isEqualTo(pulled);
    assertThat(pulls.receive(message)).isSameAs(QUESTION);
    assertThat(pulls.receive(QUESTION)).isSameAs(QUESTION);
    assertThat(Next.isIn(QUESTION)).isFalse();
    assertThat(Next.isIn(null)).isFalse();
    for (Object[] sent : new Object[][] {message, new Next(1, 2, SHARE).toArray()}) {
      assertThat(Arrays.stream(sent))
          .allMatch(part -> part.getClass().getModule() == Object.class.getModule());
    }
  }
}
