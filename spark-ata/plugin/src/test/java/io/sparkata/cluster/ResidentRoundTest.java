package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.apache.spark.util.JsonProtocol;
import org.junit.jupiter.api.Test;

class ResidentRoundTest {
  /** As Spark writes it to the event log. */
  @Test
  void event_inTheEventLog_hasWhatEachTaskTook() throws Exception {
    ResidentRound round =
        new ResidentRound(
            5, 412, List.of(new ResidentRound.Task("3", 2, 1500, 700_000, 10, 90_000, false)));

    String line = JsonProtocol.sparkEventToJsonString(round);

    JsonNode json = new ObjectMapper().readTree(line);
    assertThat(json.get("Event").asText()).isEqualTo(ResidentRound.class.getName());
    assertThat(json.get("round").asLong()).isEqualTo(412);
    assertThat(json.get("tasks").get(0).get("kernelNanos").asLong()).isEqualTo(700_000);
    // A task of a job takes 4.4 KB.
    assertThat(line.length()).as("bytes of a round of one task").isLessThan(300);
  }
}
