package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MembersTest {
  private static final Executor A = new Executor("a", "host", 1, 100, Device.CPU);
  private static final Executor B = new Executor("b", "host", 2, 100, Device.CPU);

  @Test
  void next_memoryAndSlotsChange_areThoseOfTheLastRound() {
    Members first = Members.of(List.of(A, B));
    Members second = first.next(List.of(new Executor("a", "host", 3, 7, Device.GPU), B));

    assertThat(second.areThoseOf(first)).isTrue();
    assertThat(second.get(0).freeBytes()).isEqualTo(7);
    assertThat(second.position("b")).isEqualTo(1);
  }

  @Test
  void next_oneGoesAndComesBack_areOthersEachTime() {
    Members first = Members.of(List.of(A, B));
    Members second = first.next(List.of(A));
    Members third = second.next(List.of(A, B));

    assertThat(second.areThoseOf(first)).isFalse();
    assertThat(third.areThoseOf(second)).isFalse();
    assertThat(third.areThoseOf(first)).as("another executor may have come meanwhile").isFalse();
  }

  @Test
  void next_anotherOrder_areOthers() {
    Members first = Members.of(List.of(A, B));

    assertThat(first.next(List.of(B, A)).areThoseOf(first)).isFalse();
  }

  @Test
  void of_noExecutor_isEmptyAndKnowsNone() {
    assertThat(Members.of(List.of()).isEmpty()).isTrue();
    assertThat(Members.of(List.of(A)).position("b")).isEqualTo(-1);
  }

  @Test
  void of_twoListsOfTheSameIds_areNotTakenForEachOther() {
    assertThat(Members.of(List.of(A)).areThoseOf(Members.of(List.of(A)))).isFalse();
  }
}
