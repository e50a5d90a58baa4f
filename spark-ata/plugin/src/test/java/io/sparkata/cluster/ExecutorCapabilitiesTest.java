package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ExecutorCapabilitiesTest {
  private static final ExecutorCapabilities STATEMENT =
      new ExecutorCapabilities(
          "7",
          "a",
          "vectors of 512 bits",
          "17.0.9",
          new TreeMap<>(Map.of("0", "", "1", "it is\nbroken")));

  @Test
  void of_itsMessage_isTheSame() {
    assertThat(ExecutorCapabilities.of(STATEMENT.toMessage())).isEqualTo(STATEMENT);
  }

  /** Spark's threads decode it, and do not see our classes. */
  @Test
  void toMessage_always_isOfTheJdk() {
    assertThat(STATEMENT.toMessage().getClass()).isEqualTo(TreeMap.class);
    assertThat(STATEMENT.toMessage().comparator()).isNull();
    assertThat(STATEMENT.toMessage().values()).hasOnlyElementsOfType(String.class);
  }

  @Test
  void of_anythingElse_throws() {
    for (Object message : new Object[] {"hello", Map.of("executor", "1", "host", "a"), 1}) {
      assertThatThrownBy(() -> ExecutorCapabilities.of(message))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Invalid message to Spark ATA: '"
                  + message
                  + "' (an executor's statement is expected)");
    }
  }

  @Test
  void hasUsableGpu_addressWithoutCause_isTrue() {
    assertThat(STATEMENT.hasUsableGpu()).isTrue();
    assertThat(withCauses(Map.of("1", "broken")).hasUsableGpu()).isFalse();
    assertThat(withCauses(Map.of()).hasUsableGpu()).isFalse();
  }

  @Test
  void toString_always_saysWhatIsUsedAndWhatNot() {
    assertThat(withCauses(Map.of("0", "", "1", "broken", "2", "gone")))
        .hasToString(
            "executor 7 on a computes with vectors of 512 bits; not with GPU address 1: broken; not with GPU"
                + " address 2: gone");
    assertThat(withCauses(Map.of()))
        .hasToString("executor 7 on a computes with vectors of 512 bits");
  }

  private static ExecutorCapabilities withCauses(Map<String, String> causes) {
    return new ExecutorCapabilities(
        "7", "a", "vectors of 512 bits", "17.0.9", new TreeMap<>(causes));
  }
}
