package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class SilenceTest {
  private static final int PATIENCE = 3;

  private final Silence silence = new Silence(PATIENCE);
  private final List<String> asked = new ArrayList<>();

  private Set<String> look(Set<String> executors, Set<String> silent) {
    return look(executors, silent, executors);
  }

  private Set<String> look(Set<String> executors, Set<String> silent, Set<String> awaited) {
    return silence.look(
        () -> {
          Map<String, BooleanSupplier> answers = new HashMap<>();
          for (String id : executors) {
            asked.add(id);
            answers.put(id, () -> !silent.contains(id));
          }
          return answers;
        },
        awaited::contains);
  }

  @Test
  void look_noAnswerInAsManyLooksAsPatience_findsTheExecutor() {
    Set<String> all = Set.of("a", "b");

    for (int looks = 0; looks < PATIENCE; looks++) { // the first only asks
      assertThat(look(all, Set.of("b"))).isEmpty();
    }
    assertThat(look(all, Set.of("b"))).containsExactly("b");
  }

  /** One after the other would take a patience each. */
  @Test
  void look_hostOfTwoExecutorsHangs_findsBoth() {
    Set<String> all = Set.of("a", "b", "c");

    for (int looks = 0; looks < PATIENCE; looks++) {
      look(all, Set.of("b", "c"));
    }
    assertThat(look(all, Set.of("b", "c"))).containsExactly("b", "c");
  }

  /** The driver's own line may be cut: it must not forget all blocks at once. */
  @Test
  void look_allHang_findsOne() {
    Set<String> all = Set.of("a", "b");

    for (int looks = 0; looks < PATIENCE; looks++) {
      look(all, all);
    }
    assertThat(look(all, all)).hasSize(1);
  }

  /** The last answer of one came a look later than those of the others. */
  @Test
  void look_allHangOneLookApart_findsOne() {
    Set<String> all = Set.of("a", "b", "c");
    look(all, Set.of());
    look(all, Set.of("a", "b"));
    for (int looks = 1; looks < PATIENCE; looks++) {
      assertThat(look(all, all)).isEmpty();
    }

    assertThat(look(all, all)).containsExactly("a");
  }

  /** An executor that has just come has answered nothing yet. */
  @Test
  void look_allHangAndOneComes_findsOne() {
    Set<String> all = Set.of("a", "b");
    for (int looks = 0; looks < PATIENCE; looks++) {
      look(all, all);
    }

    assertThat(look(Set.of("a", "b", "c"), all)).containsExactly("a");
  }

  @Test
  void look_hostOfTwoExecutorsHangsBetweenTheirAnswers_findsBoth() {
    Set<String> all = Set.of("a", "b", "c");
    look(all, Set.of());
    look(all, Set.of("a"));
    for (int looks = 1; looks < PATIENCE; looks++) {
      assertThat(look(all, Set.of("a", "b"))).isEmpty();
    }

    assertThat(look(all, Set.of("a", "b"))).containsExactly("a", "b");
  }

  /** The round would be planned with it again. */
  @Test
  void look_hostHangsAndOneOfItsTasksIsDone_findsBoth() {
    Set<String> all = Set.of("a", "b", "c");
    for (int looks = 0; looks < PATIENCE; looks++) {
      look(all, Set.of("a", "b"), Set.of("b", "c"));
    }

    assertThat(look(all, Set.of("a", "b"), Set.of("b", "c"))).containsExactly("a", "b");
  }

  @Test
  void look_patienceOfOneLook_findsNoneThatAnswers() {
    Silence impatient = new Silence(1);
    for (int looks = 0; looks < 2; looks++) {
      Map<String, BooleanSupplier> answers = new HashMap<>();
      answers.put("a", () -> false);
      answers.put("b", () -> true);
      assertThat(impatient.look(() -> answers, id -> true))
          .isEqualTo(looks == 0 ? Set.of() : Set.of("a"));
    }
  }

  /** A job that is cancelled takes a while to end, and its tasks end one by one. */
  @Test
  void look_hasFoundSome_findsTheSameEverAfter() {
    Set<String> all = Set.of("a", "b", "c");
    for (int looks = 0; looks < PATIENCE; looks++) {
      look(all, Set.of("a", "b"));
    }
    assertThat(look(all, Set.of("a", "b"))).containsExactly("a", "b");

    assertThat(look(all, Set.of("a"))).containsExactly("a", "b");
    assertThat(look(all, Set.of(), Set.of())).containsExactly("a", "b");
  }

  @Test
  void look_roundDoesNotNeedTheSilentOne_findsNone() {
    for (int looks = 0; looks < 3 * PATIENCE; looks++) {
      assertThat(look(Set.of("a", "b"), Set.of("b"), Set.of("a"))).isEmpty();
    }
    assertThat(look(Set.of("a", "b"), Set.of("b"))).containsExactly("b");
  }

  /** Each answer comes two looks after its question. */
  @Test
  void look_answersComeLate_findsNone() {
    int[] time = {0};
    for (; time[0] < 10 * PATIENCE; time[0]++) {
      int askedAt = time[0];
      Map<String, BooleanSupplier> answers = new HashMap<>();
      answers.put("a", () -> time[0] >= askedAt + PATIENCE - 1);
      assertThat(silence.look(() -> answers, id -> true)).isEmpty();
    }
  }

  @Test
  void look_executorGone_isForgotten() {
    for (int looks = 0; looks < PATIENCE; looks++) {
      look(Set.of("a", "b"), Set.of("b"));
    }

    assertThat(look(Set.of("a"), Set.of())).isEmpty();
    assertThat(look(Set.of("a", "b"), Set.of("b"))).isEmpty();
    assertThat(look(Set.of("a", "b"), Set.of("b"))).isEmpty();
    assertThat(asked).hasSize(2 * PATIENCE + 5);
  }
}
