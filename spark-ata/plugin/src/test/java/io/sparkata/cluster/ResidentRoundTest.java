package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.apache.spark.util.JsonProtocol;
import org.junit.jupiter.api.Test;

class ResidentRoundTest {
  private static final ResidentRound ROUND =
      new ResidentRound(
          5, 412, List.of(new ResidentRound.Task("3", 2, 1500, 700_000, 10, 90_000, false)));

  /** Spark flushes its event log after each event of others' classes. */
  @Test
  void event_always_staysOutOfTheEventLog() {
    assertThat(ROUND.logEvent()).isFalse();
  }

  /** A listener of the user's may write it as Spark writes events. */
  @Test
  void event_asJson_hasWhatEachTaskTook() throws Exception {
    JsonNode json = new ObjectMapper().readTree(JsonProtocol.sparkEventToJsonString(ROUND));

    assertThat(json.get("Event").asText()).isEqualTo(ResidentRound.class.getName());
    assertThat(json.get("round").asLong()).isEqualTo(412);
    assertThat(json.get("tasks").get(0).get("kernelNanos").asLong()).isEqualTo(700_000);
  }
}
