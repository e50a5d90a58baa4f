package io.sparkata.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelativeSpeedsTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1,", "1,0", "1,x", "1,-2", "1,1e3", "1, 2", "1,NaN"})
  void parse_ofAnythingElse_saysWhatIsAllowed(String text) {
    assertThatThrownBy(() -> RelativeSpeeds.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Invalid --speeds: "
                + text
                + " (two or more positive numbers, 200 at most, e.g. 8,4,2,1)");
  }

  @Test
  void parse_ofPositiveNumbers_countsThem() {
    RelativeSpeeds uneven = RelativeSpeeds.parse("8,.5,1.");
    assertThat(uneven).hasToString("8,.5,1.");
    assertThat(uneven.count()).isEqualTo(3);
    assertThat(uneven.areEven()).isFalse();
    assertThat(RelativeSpeeds.parse("1,1.0").areEven()).isTrue();
    assertThat(RelativeSpeeds.parse("1" + ",1".repeat(199)).count()).isEqualTo(200);
    assertThatThrownBy(() -> RelativeSpeeds.parse("1" + ",1".repeat(200)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
