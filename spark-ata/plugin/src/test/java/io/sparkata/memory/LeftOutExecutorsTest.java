package io.sparkata.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.memory.LeftOutExecutors.Found;
import io.sparkata.memory.LeftOutExecutors.Kind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeftOutExecutorsTest {
  private static final Found FOUND = new Found(List.of(List.of("2")), 0.01, 0.02, false, 1, 2, 3);

  private final LeftOutExecutors resting = new LeftOutExecutors();

  @Test
  void of_remembered_isTheLastOfItsKind() {
    Kind kind = Kind.of("logistic dense", 100, 20_000);
    assertThat(resting.of(kind)).isEmpty();

    resting.remember(kind, FOUND);
    assertThat(resting.of(Kind.of("logistic dense", 100, 19_000))).contains(FOUND);
    assertThat(resting.of(Kind.of("logistic dense", 100, 2_000))).isEmpty();
    assertThat(resting.of(Kind.of("logistic dense", 101, 20_000))).isEmpty();
    assertThat(resting.of(Kind.of("logistic sparse", 100, 20_000))).isEmpty();

    Found now = new Found(List.of(), 0, 0, true, 0, 0, 100);
    resting.remember(kind, now);
    assertThat(resting.of(kind)).contains(now);
  }

  @Test
  void remember_moreKindsThanAHundred_forgetsThoseNotAskedForLongest() {
    List<Kind> kinds = IntStream.range(0, 101).mapToObj(i -> Kind.of("hinge dense", i, 1)).toList();
    kinds.subList(0, 100).forEach(kind -> resting.remember(kind, FOUND));
    assertThat(resting.of(kinds.get(0))).isPresent();

    resting.remember(kinds.get(100), FOUND);

    assertThat(resting.of(kinds.get(0))).isPresent();
    assertThat(resting.of(kinds.get(1))).isEmpty();
    assertThat(resting.of(kinds.get(100))).isPresent();
  }

  @Test
  void kindOf_noRows_isThatOfOne() {
    assertThat(Kind.of("hinge dense", 1, 0)).isEqualTo(Kind.of("hinge dense", 1, 1));
  }
}
