package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sparkata.rounds.crew.CrewMessages.Answer;
import io.sparkata.rounds.crew.CrewMessages.Done;
import io.sparkata.rounds.crew.CrewMessages.Question;
import io.sparkata.rounds.crew.CrewProtocol.Brought;
import io.sparkata.rounds.crew.CrewProtocol.Received;
import io.sparkata.rounds.crew.CrewTrouble.LostMember;
import io.sparkata.rounds.crew.CrewTrouble.SilentMember;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The driver's side of a crew, on the test's own clock. */
class CrewProtocolTest {
  private static final byte[] SHARED = {1};
  private static final byte[] SHARED_BY_TRIALS = {4};
  private static final byte[] SUM = {2};
  private static final Set<String> BOTH = Set.of("a", "b");

  private final CrewProtocol protocol =
      new CrewProtocol(new Pulls(Map.of("a", 1, "b", 1)), /* now= */ 0);

  /** What members were answered, in order. */
  private final List<Object[]> answers = new ArrayList<>();

  private Received ask(String executor, Done done, long now) {
    return protocol.receive(
        new Question(executor, /* isSign= */ false, done).toArray(), answers::add, now);
  }

  private boolean handOut(long now, String... executors) {
    return protocol.handOut(work(executors), now);
  }

  private static Handout work(String... executors) {
    return new Handout(SHARED, tasks(executors));
  }

  private static Handout trials(String... executors) {
    return new Handout(SHARED_BY_TRIALS, tasks(executors));
  }

  private static Map<String, byte[][]> tasks(String... executors) {
    Map<String, byte[][]> tasks = new LinkedHashMap<>();
    for (String executor : executors) {
      tasks.put(executor, new byte[][] {{3}});
    }
    return tasks;
  }

  /** A has a task, b a trial. */
  private void beginWithTrial(long round, long now) {
    protocol.begin(round);
    assertThat(protocol.handOut(work("a"), now)).isTrue();
    protocol.handOutTrials(trials("b"), now);
  }

  private void beginWithBoth(long round, long now) {
    ask("a", null, now);
    ask("b", null, now);
    protocol.begin(round);
    assertThat(handOut(now, "a", "b")).isTrue();
  }

  @Test
  void run_untroubled_bringsEachMembersSumWithItsTime() {
    protocol.begin(7);
    assertThat(ask("a", null, 10)).isEqualTo(Received.ALL_DONE);
    assertThat(handOut(20, "a", "b")).as("one has not come").isFalse();
    assertThat(answers).isEmpty();
    ask("b", null, 30);
    assertThat(handOut(40, "a", "b")).isTrue();

    assertThat(answers)
        .hasSize(2)
        .allSatisfy(
            answer -> {
              assertThat(Answer.of(answer).round()).isEqualTo(7);
              assertThat(Answer.of(answer).shared()).isEqualTo(SHARED);
            });
    assertThat(ask("b", Done.of(7, SUM), 100)).isEqualTo(Received.SEATED);
    assertThat(protocol.isAllBrought()).isFalse();
    assertThat(ask("a", Done.of(7, SUM), 200)).isEqualTo(Received.ALL_DONE);
    assertThat(protocol.isAllBrought()).isTrue();
    assertThat(protocol.brought()).extracting(Brought::executorId).containsExactly("b", "a");
    assertThat(protocol.brought()).extracting(Brought::nanos).containsExactly(60L, 160L);
  }

  @Test
  void handOut_trial_isNotAwaitedAndCountsInNoRound() {
    ask("a", null, 0);
    ask("b", null, 0);
    beginWithTrial(7, 0);
    assertThat(answers)
        .extracting(answer -> Answer.of(answer).shared())
        .containsExactly(SHARED, SHARED_BY_TRIALS);
    assertThat(ask("a", Done.of(7, SUM), 10)).isEqualTo(Received.ALL_DONE);
    assertThat(protocol.isAllBrought()).isTrue();
    assertThat(protocol.brought()).extracting(Brought::executorId).containsExactly("a");
    protocol.end(10);

    beginWithTrial(8, 20);
    assertThat(answers).as("b is still busy").hasSize(3);
    assertThat(ask("b", Done.of(7, SUM), 25)).isEqualTo(Received.SEATED);
    ask("a", Done.of(8, SUM), 30);
    assertThat(protocol.brought()).extracting(Brought::executorId).containsExactly("a");
    assertThat(protocol.takeTried())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.executorId()).isEqualTo("b");
              assertThat(one.done().sum()).isEqualTo(SUM);
              assertThat(one.nanos()).isEqualTo(25);
            });
    assertThat(protocol.takeTried()).isEmpty();
    protocol.end(30);

    beginWithTrial(9, 40);
    assertThat(answers).as("both have work").hasSize(5);
  }

  @Test
  void handOut_memberWithTrialComesLater_getsItDuringTheRoundOnly() {
    ask("a", null, 0);
    beginWithTrial(7, 0);
    assertThat(answers).hasSize(1);
    ask("b", null, 5);
    assertThat(answers).hasSize(2);
    assertThat(Answer.of(answers.get(1)).shared()).isEqualTo(SHARED_BY_TRIALS);
    ask("b", Done.of(7, SUM), 8);
    assertThat(answers).as("one trial in a round").hasSize(2);
    ask("a", Done.of(7, SUM), 10);
    assertThat(protocol.isAllBrought()).isTrue();
    assertThat(protocol.takeTried()).extracting(Brought::nanos).containsExactly(3L);
    protocol.end(10);

    ask("b", null, 20);
    assertThat(answers).as("told to ask again").hasSize(3).last().isEqualTo(Answer.NOTHING_YET);
    protocol.begin(8);
    assertThat(handOut(30, "a")).isTrue();
    assertThat(answers).as("no trial in this round").hasSize(4);
  }

  @Test
  void lookAtOpen_memberWithTrialIsSilentOrLost_doesNotMatter() {
    ask("a", null, 0);
    ask("b", null, 0);
    beginWithTrial(7, 0);

    assertThatNoException()
        .isThrownBy(
            () -> {
              for (int look = 0; look < 40; look++) {
                protocol.lookAtOpen(Set.of("a"), /* patience= */ 12);
                protocol.receive(Question.signOf("a"), answers::add, look);
              }
            });
  }

  @Test
  void haveCome_memberIsAwayOrBusyWithTrial_isFalse() {
    ask("a", null, 0);
    assertThat(protocol.haveCome(BOTH)).as("b has not come").isFalse();
    ask("b", null, 0);
    assertThat(protocol.haveCome(BOTH)).isTrue();
    beginWithTrial(7, 0);
    ask("a", Done.of(7, SUM), 10);
    assertThat(protocol.haveCome(BOTH)).as("b is busy").isFalse();
    assertThat(protocol.busyWithTrials()).containsExactly("b");
    ask("b", Done.of(7, SUM), 20);
    assertThat(protocol.haveCome(BOTH)).isTrue();
    protocol.dismiss();
    assertThat(protocol.haveCome(BOTH)).isTrue();
  }

  @Test
  void receive_memberHasForgottenItsWork_saysSo() {
    beginWithBoth(7, 0);
    ask("a", null, 50); // its task has started again
    ask("b", Done.of(6, SUM), 50); // late, of the round before

    assertThat(protocol.brought())
        .hasSize(2)
        .allSatisfy(one -> assertThat(one.done().failure()).isEqualTo("its task started again"));
  }

  /** Spark reads messages of any shape; the member that sent it gets the failure as its answer. */
  @ParameterizedTest
  @MethodSource
  void receive_messageOfAnotherShape_throwsAndChangesNothing(Object... message) {
    beginWithBoth(7, 0);
    assertThatThrownBy(() -> protocol.receive(message, answers::add, 10))
        .isInstanceOf(RuntimeException.class);

    ask("a", Done.of(7, SUM), 20);
    ask("b", Done.of(7, SUM), 20);
    assertThat(protocol.brought())
        .extracting(Brought::executorId, one -> one.done().sum())
        .containsExactly(tuple("a", SUM), tuple("b", SUM));
  }

  static List<Arguments> receive_messageOfAnotherShape_throwsAndChangesNothing() {
    return Stream.of(
            new Object[] {},
            new Object[] {"a"},
            new Object[] {1, 2},
            new Object[] {"a", "false"},
            new Object[] {"a", false, 7L},
            new Object[] {"a", false, "7", SUM, null},
            new Object[] {"a", false, 7L, "sum", null},
            new Object[] {null, null, null, null, null})
        .map(message -> Arguments.of((Object) message))
        .toList();
  }

  /** An executor that is none of the crew's waits for work that it never gets. */
  @Test
  void receive_strangerWithASum_addsNothing() {
    beginWithBoth(7, 0);
    ask("stranger", Done.of(7, SUM), 10);
    ask("a", Done.of(7, SUM), 20);

    assertThat(protocol.isAllBrought()).isFalse();
    assertThat(protocol.brought()).extracting(Brought::executorId).containsExactly("a");
  }

  /** The first answer counts. */
  @Test
  void receive_sameAnswerAgain_addsNothing() {
    beginWithBoth(7, 0);
    ask("a", Done.of(7, SUM), 10);
    ask("a", Done.of(7, new byte[] {9}), 20);

    assertThat(protocol.brought())
        .singleElement()
        .satisfies(one -> assertThat(one.done().sum()).isEqualTo(SUM));
  }

  @Test
  void receive_memberAsksTwice_answersTheFirstQuestion() {
    ask("a", null, 0);
    assertThat(answers).isEmpty();
    ask("a", null, 1);

    assertThat(answers).containsExactly(Answer.NOTHING_YET);
  }

  @Test
  void begin_answersOfTheRoundBefore_doNotCount() {
    beginWithBoth(7, 0);
    protocol.end(10);
    protocol.begin(8);
    ask("a", Done.of(7, SUM), 20);

    assertThat(protocol.brought()).isEmpty();
    assertThat(handOut(30, "a")).as("it waits for work again").isTrue();
  }

  @Test
  void lookAtOpen_noSign_isPatientThenNamesTheMember() throws CrewTrouble {
    beginWithBoth(7, 0);
    for (int look = 0; look < 18; look++) {
      protocol.lookAtOpen(BOTH, /* patience= */ 12);
      protocol.receive(Question.signOf("a"), answers::add, look);
      if (look < 6) {
        protocol.receive(Question.signOf("b"), answers::add, look);
      }
    }

    assertThatThrownBy(() -> protocol.lookAtOpen(BOTH, 12))
        .isInstanceOfSatisfying(
            SilentMember.class, silent -> assertThat(silent.executorIds()).containsExactly("b"))
        .hasMessage("silent executors: b");
  }

  /** Members give signs at different times. If none gives any, the driver may be cut off. */
  @ParameterizedTest
  @CsvSource({"true, 'silent executors: a, b'", "false, silent executors: a"})
  void lookAtOpen_severalHang_namesThemUnlessNoneIsHeard(boolean isAnotherHeard, String message)
      throws CrewTrouble {
    Set<String> all = Set.of("a", "b", "c");
    all.forEach(one -> ask(one, null, 0));
    protocol.begin(7);
    assertThat(handOut(0, "a", "b", "c")).isTrue();
    protocol.lookAtOpen(all, /* patience= */ 30);
    protocol.lookAtOpen(all, 30);
    protocol.receive(Question.signOf("b"), answers::add, 2);
    for (int look = 2; look < 30; look++) {
      protocol.lookAtOpen(all, 30);
    }
    if (isAnotherHeard) {
      ask("c", Done.of(7, SUM), 30);
    }

    assertThatThrownBy(() -> protocol.lookAtOpen(all, 30)).hasMessage(message);
  }

  /** The driver's network fails after the fast member has brought its answer. */
  @Test
  void lookAtOpen_noneIsHeardAfterOnesAnswer_namesOne() throws CrewTrouble {
    Set<String> all = Set.of("a", "b", "c", "d");
    all.forEach(one -> ask(one, null, 0));
    protocol.begin(7);
    assertThat(handOut(0, "a", "b", "c", "d")).isTrue();
    ask("c", Done.of(7, SUM), 0);
    for (int look = 0; look < 30; look++) {
      protocol.lookAtOpen(all, /* patience= */ 30);
    }

    assertThatThrownBy(() -> protocol.lookAtOpen(all, 30)).hasMessage("silent executors: a");
  }

  /** With a long patience, too, members whose last signs came far apart are not named together. */
  @Test
  void lookAtOpen_patienceHasGrown_namesThoseThatFellSilentTogether() throws CrewTrouble {
    Set<String> all = Set.of("a", "b", "c", "d");
    all.forEach(one -> ask(one, null, 0));
    protocol.begin(7);
    assertThat(handOut(0, "a", "b", "c", "d")).isTrue();
    for (int look = 0; look < 120; look++) {
      protocol.lookAtOpen(all, /* patience= */ 120);
      protocol.receive(Question.signOf("d"), answers::add, look);
      if (look < 5) {
        protocol.receive(Question.signOf("b"), answers::add, look);
      }
      if (look < 6) {
        protocol.receive(Question.signOf("c"), answers::add, look);
      }
    }

    assertThatThrownBy(() -> protocol.lookAtOpen(all, 120)).hasMessage("silent executors: a, b");
  }

  @Test
  void lookAtOpen_memberIsLost_throwsUnlessItHasBroughtItsSum() {
    beginWithBoth(7, 0);
    assertThatThrownBy(() -> protocol.lookAtOpen(Set.of("a"), 3)).isInstanceOf(LostMember.class);

    ask("b", Done.of(7, SUM), 10);
    assertThatNoException().isThrownBy(() -> protocol.lookAtOpen(Set.of("a"), 3));
  }

  @Test
  void isIdle_noRoundForAWhile_only() {
    assertThat(protocol.isIdle(CrewProtocol.IDLE_NANOS - 1)).isFalse();
    assertThat(protocol.isIdle(CrewProtocol.IDLE_NANOS)).isTrue();
    protocol.begin(7);
    assertThat(protocol.isIdle(9 * CrewProtocol.IDLE_NANOS)).as("in a round").isFalse();
    protocol.end(9 * CrewProtocol.IDLE_NANOS);
    assertThat(protocol.isIdle(10 * CrewProtocol.IDLE_NANOS - 1)).isFalse();
    assertThat(protocol.isIdle(10 * CrewProtocol.IDLE_NANOS)).isTrue();
  }

  @Test
  void isIdle_memberHasWaitedForLong_isToldToAskAgain() {
    protocol.begin(7);
    ask("a", null, 0);
    protocol.isIdle(CrewProtocol.PATIENCE_NANOS);
    assertThat(answers).isEmpty();
    protocol.isIdle(CrewProtocol.PATIENCE_NANOS + 1);

    assertThat(answers).containsExactly(Answer.NOTHING_YET);
    assertThat(handOut(CrewProtocol.PATIENCE_NANOS + 2, "a")).as("it has no seat").isFalse();
  }

  @Test
  void dismiss_membersAtAnyTime_areToldToLeave() {
    ask("a", null, 0);
    protocol.dismiss();
    assertThat(answers).containsExactly(Answer.DISMISSED);
    assertThat(ask("b", null, 1)).isEqualTo(Received.NOTHING_NEW);
    assertThat(answers).containsExactly(Answer.DISMISSED, Answer.DISMISSED);
    assertThatThrownBy(() -> protocol.look(Set.of(), BOTH))
        .isInstanceOf(CrewTrouble.class)
        .hasMessage("it was dismissed");
  }
}
