package io.sparkata.objective;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of closures' classes; those that Spark makes are held by the tests that train by it. */
class OwnersTest {
  @ParameterizedTest
  @CsvSource({
    "a.Loss$$Lambda$14/0x0000000800b5a840, a.Loss",
    "a.Loss$$Lambda/0x00007f1b4c1a9000, a.Loss",
    "a.LBFGS$CostFun$$Lambda$3101/0x1, a.LBFGS$CostFun",
    "a.LBFGS$CostFun$$anonfun$calculate$1, a.LBFGS$CostFun",
    "a.Loss$$anonfun$calculate$1$$Lambda$5/0x1, a.Loss",
    "a.Summarizer$$$Lambda$7/0x1, a.Summarizer$",
    "a.Loss, ''",
    "a.Loss$Inner, ''",
    "com.sun.proxy.$Proxy5, ''",
  })
  void ownerOf_nameOfAClass_isThePartBeforeTheMark(String name, String owner) {
    assertThat(Owners.ownerOf(name)).isEqualTo(owner);
  }

  @Test
  void of_strangersOrNull_isFalse() {
    BinaryOperator<Integer> strangers = Integer::sum;

    assertThat(Owners.of(strangers)).isFalse();
    assertThat(Owners.of("no closure")).isFalse();
    assertThat(Owners.of(null)).isFalse();
    assertThat(Owners.isSummarizer(strangers)).isFalse();
    assertThat(Owners.isSummarizer(null)).isFalse();
  }
}
