package io.sparkata.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelResultTest {
  /** 209,715 of 2,097,152 rows of 500 bytes. */
  private static final KernelCase SPARSE =
      KernelCase.coded("logistic", 10_000, 100, 0.1, 500L << 21);

  private static final KernelCase DENSE = KernelCase.dense("hinge", 100, 1, 8_000_000);

  @Test
  void json_always_hasTheFieldsThatAreToldOf() throws IOException {
    List<KernelResult> results =
        List.of(
            KernelResult.ofNanos(SPARSE, 41_943_000, 20_971_500, 83_886_000),
            KernelResult.ofNanos(DENSE.onGpu(), 8_000_000, 8_000_000, 80_000_000));

    JsonNode json = new ObjectMapper().readTree(KernelResult.json(results));

    assertThat(json).hasSize(2);
    assertThat(json.get(0).toString())
        .isEqualTo(
            "{\"kernel\":\"logistic\",\"layout\":\"sparse coded\",\"d\":10000,\"nonZeros\":100,"
                + "\"fraction\":0.1,\"bytes\":1048576000,\"device\":\"cpu\","
                + "\"gigabytesPerSecond\":2.5,\"fractionOfPlainRead\":0.5,"
                + "\"plainReadGigabytesPerSecond\":5.0,\"timesMllib\":2.0}");
    assertThat(json.get(1).toString())
        .as("a copy moves two bytes for each")
        .isEqualTo(
            "{\"kernel\":\"hinge\",\"layout\":\"dense\",\"d\":100,\"nonZeros\":100,"
                + "\"fraction\":1.0,\"bytes\":8000000,\"device\":\"gpu\","
                + "\"gigabytesPerSecond\":1.0,\"fractionOfPlainRead\":0.5,"
                + "\"plainReadGigabytesPerSecond\":2.0,\"timesMllib\":10.0}");
    String help = Files.readString(Path.of("..", "scripts", "bench-kernels"));
    json.get(0).fieldNames().forEachRemaining(name -> assertThat(help).contains(name));
  }

  @Test
  void json_noResult_isAnEmptyList() {
    assertThat(KernelResult.json(List.of())).isEqualTo("[]");
  }

  @Test
  void text_always_isARowUnderTheHead() {
    String row = KernelResult.ofNanos(DENSE, 1_000_000, 800_000, 2_000_000).text();

    assertThat(row)
        .isEqualTo("| hinge | dense | 100 |  | 1.0 | in memory | 8.0 | 0.80 | 10.0 | 2.0 |");
    assertThat(KernelResult.HEAD.lines().map(line -> line.split("\\|").length))
        .containsOnly(row.split("\\|").length);
  }
}
