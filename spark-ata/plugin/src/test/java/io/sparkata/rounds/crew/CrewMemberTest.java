package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.Serialized;
import io.sparkata.testing.Mllib;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrewMemberTest {
  /** A gradient may have state: MLlib gives each task a copy of its own. */
  @Test
  void share_ofTwoSlots_isACopyForEach() {
    Mllib.withStock(
        spark -> {
          byte[] bytes = Serialized.work(new MicroShare<>(null, List.of(), 5, 3));
          CrewMember.Slot one = new CrewMember.Slot(null, null);
          CrewMember.Slot other = new CrewMember.Slot(null, null);
          MicroShare<Object> share = one.share(bytes);

          assertThat(one.share(bytes)).as("once a round").isSameAs(share);
          assertThat(other.share(bytes)).isEqualTo(share).isNotSameAs(share);
          assertThat(one.share(bytes.clone())).as("in the next round").isNotSameAs(share);
        });
  }
}
