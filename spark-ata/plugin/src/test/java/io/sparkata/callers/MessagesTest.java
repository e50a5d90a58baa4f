package io.sparkata.callers;

import io.sparkata.testing.LocalSpark;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** In local mode. */
class MessagesTest {

  @Nested
  class OfDescents extends DescentMessages {
    OfDescents() {
      super(/* partitions= */ 2, LocalSpark::startPlain);
    }
  }

  @Nested
  @Tag("nightly") // 30 s of CPU
  class OfFits extends FitMessages {
    OfFits() {
      super(/* partitions= */ 2, LocalSpark::startPlain);
    }
  }
}
