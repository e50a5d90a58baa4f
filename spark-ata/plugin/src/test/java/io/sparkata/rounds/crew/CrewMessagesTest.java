package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.rounds.crew.CrewMessages.Answer;
import io.sparkata.rounds.crew.CrewMessages.Done;
import io.sparkata.rounds.crew.CrewMessages.Question;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CrewMessagesTest {
  private static final byte[] BYTES = {1, 2};

  static Stream<Question> questions() {
    return Stream.of(
        new Question("7", /* isSign= */ true, null),
        new Question("7", /* isSign= */ false, null),
        new Question("7", /* isSign= */ false, Done.of(-3, BYTES)),
        new Question(
            "7", /* isSign= */ false, Done.failed(-3, new IllegalStateException("a bug"))));
  }

  static Stream<Object[]> answers() {
    return Stream.of(
        Answer.DISMISSED, Answer.NOTHING_YET, Answer.work(-3, BYTES, new byte[][] {BYTES}));
  }

  @ParameterizedTest
  @MethodSource("questions")
  void question_toAnArray_comesBackTheSame(Question question) {
    assertThat(Question.of(question.toArray())).isEqualTo(question);
    assertOfTheJdkOnly(question.toArray());
  }

  /** Spark's RPC threads do not see classes of a jar on --jars. */
  private static void assertOfTheJdkOnly(Object[] message) {
    assertThat(Arrays.stream(message).filter(part -> part != null))
        .allMatch(part -> part.getClass().getModule() == Object.class.getModule());
  }

  @Test
  void answer_fromAnArray_isWhatItWas() {
    Answer work = Answer.of(Answer.work(-3, BYTES, new byte[][] {BYTES}));

    assertThat(work).extracting(Answer::isDismissal, Answer::hasWork).containsExactly(false, true);
    assertThat(work.round()).isEqualTo(-3);
    assertThat(work.shared()).isEqualTo(BYTES);
    assertThat(work.tasks()).hasDimensions(1, 2);
    assertThat(Answer.of(Answer.NOTHING_YET))
        .extracting(Answer::isDismissal, Answer::hasWork)
        .containsExactly(false, false);
    assertThat(Answer.of(Answer.DISMISSED).isDismissal()).isTrue();
    assertThat(Answer.of(null).isDismissal()).as("the member has given up").isTrue();
    answers().forEach(CrewMessagesTest::assertOfTheJdkOnly);
  }
}
