package io.sparkata.tools.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.tools.AtaRun;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelFiguresTest {
  /** 209,715 of 2,097,152 rows of 500 bytes. */
  private static final KernelCase SPARSE =
      KernelCase.coded("logistic", 10_000, 100, 0.1, 500L << 21);

  private static final KernelCase DENSE = KernelCase.dense("hinge", 100, 1, 8_000_000);

  @Test
  void json_always_hasTheFieldsThatHelpNames() throws IOException {
    List<KernelFigures> results =
        List.of(
            KernelResult.ofNanos(SPARSE, 41_943_000, 20_971_500, 83_886_000),
            KernelResult.ofNanos(DENSE.onGpu(), 8_000_000, 8_000_000, 80_000_000));

    JsonNode json = new ObjectMapper().readTree(KernelFigures.json(results));

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
    assertHelpNamesFieldsOf(json.get(0));
  }

  @Test
  void json_turns_hasTheFieldsThatHelpNames() throws IOException {
    JsonNode json = new ObjectMapper().readTree(new KernelTurns(SPARSE, 200, 300).json());

    assertThat(json.toString())
        .isEqualTo(
            "{\"kernel\":\"logistic\",\"layout\":\"sparse coded\",\"d\":10000,\"nonZeros\":100,"
                + "\"fraction\":0.1,\"bytes\":1048576000,\"device\":\"cpu\","
                + "\"nanosPerRow\":200.0,\"mllibNanosPerRow\":300.0,\"timesMllib\":1.5}");
    assertHelpNamesFieldsOf(json);
  }

  @Test
  void json_blocks_hasTheFieldsThatHelpNames() throws IOException {
    BlockCase sparse = new BlockCase("logistic", 1000, 10, /* isWeighted= */ true);
    JsonNode json = new ObjectMapper().readTree(new BlockTurns(sparse, 20, 30).json());

    assertThat(json.toString())
        .isEqualTo(
            "{\"kernel\":\"logistic\",\"layout\":\"sparse\",\"d\":1000,\"nonZeros\":10,"
                + "\"weighted\":true,\"nanosPerRow\":20.0,\"sparkNanosPerRow\":30.0,"
                + "\"timesSpark\":1.5}");
    assertHelpNamesFieldsOf(json);
  }

  private static void assertHelpNamesFieldsOf(JsonNode figures) {
    String help = AtaRun.of("bench-kernels", "--help").out();
    String ofJson = help.substring(help.indexOf("With --json"), help.indexOf("--quick"));
    figures.fieldNames().forEachRemaining(name -> assertThat(ofJson.split("\\W+")).contains(name));
  }

  @Test
  void json_noResult_isAnEmptyList() {
    assertThat(KernelFigures.json(List.of())).isEqualTo("[]");
  }

  @Test
  void text_always_isARowUnderTheHead() {
    KernelFigures speeds = KernelResult.ofNanos(DENSE, 1_000_000, 800_000, 2_000_000);
    KernelFigures turns = new KernelTurns(SPARSE, 199.7, 300);
    KernelCase block = KernelCase.dense("hinge", 1000, 1, KernelCase.ONE_BLOCK).onGpu();

    assertThat(block.cells()).isEqualTo("| hinge | dense | 1000 |  | 1.0 | one block on the GPU |");
    assertThat(DENSE.onGpu().cells()).endsWith("| on the GPU |");
    assertThat(speeds.text())
        .isEqualTo("| hinge | dense | 100 |  | 1.0 | in memory | 8.0 | 0.80 | 10.0 | 2.0 |");
    assertThat(turns.text())
        .isEqualTo(
            "| logistic | sparse coded | 10000 | 100 | 0.1 | in memory | 200 | 300 | 1.50 |");
    KernelFigures blocks =
        new BlockTurns(new BlockCase("hinge", 100, 0, /* isWeighted= */ false), 40, 44);
    assertThat(blocks.text()).isEqualTo("| hinge | dense | 100 |  | no | 40.0 | 44.0 | 1.10 |");
    for (KernelFigures figures : List.of(speeds, turns, blocks)) {
      assertThat(figures.head().lines().map(KernelFiguresTest::cells))
          .containsOnly(cells(figures.text()));
    }
  }

  private static int cells(String line) {
    return line.split("\\|").length;
  }
}
