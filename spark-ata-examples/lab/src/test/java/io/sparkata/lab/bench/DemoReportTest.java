package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.JsonOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DemoReportTest {
  private static final Path PNG = Path.of("/p/rows.png");

  private static DemoReport report(double otherSeconds, double secondsPerIteration) {
    return new DemoReport(
        Turns.comparison(otherSeconds, secondsPerIteration), "80,000 flights", PNG);
  }

  @Test
  void text_sparkAtaFirst_saysByHowMuch() {
    assertThat(report(9, 0.25).text())
        .isEqualTo(
            """
            80,000 flights
                                            whole call  per iteration
            Spark as it comes                   30.0 s         1.00 s
            Spark, 8 partitions per slot        22.0 s         0.50 s
            Spark ATA                           14.0 s         0.25 s
            Spark ATA was faster than Spark, 8 partitions per slot: 14.0 s against 22.0, 36 % less.
            At these times it is ahead from the first iteration on.
            The model is Spark's: no weight differs by more than 3e-09.
            Each executor's part of the rows: /p/rows.png
            """)
        .satisfies(
            text -> assertThat(text.lines().count()).isLessThanOrEqualTo(DemoReport.MOST_LINES));
  }

  @Test
  void text_sparkAtaBehind_saysFromWhenItWins() {
    assertThat(report(20, 0.25).text())
        .contains(
            "Spark ATA was SLOWER than Spark, 8 partitions per slot: 25.0 s against 22.0, 14 % more.\n")
        .contains("At these times it is ahead from 33 iterations on; these calls had 20.\n");
  }

  @Test
  void text_neverAhead_saysSo() {
    assertThat(report(20, 2).text())
        .contains("More iterations would not help: another side's take no longer.\n");
  }

  @Test
  void json_always_hasTheFiguresOfEachSide() {
    assertThat(JsonOption.line(report(20, 0.25).json()))
        .startsWith(
            "{\"training\":\"80,000 flights\",\"runs\":[{\"side\":\"spark\",\"callSeconds\":30.0,")
        .contains("\"side\":\"spark-partitioned\"", "\"side\":\"spark-ata\"")
        .contains("\"secondsPerIteration\":0.25", "\"maxWeightDifference\":2.9")
        .endsWith("\"aheadFromIterations\":33}\n");
  }
}
