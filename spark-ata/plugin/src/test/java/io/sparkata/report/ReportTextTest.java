package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.report.SlowestExecutor.Even;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportTextTest {
  private static final String SITE = "SVMWithSGD.train at App.java:31";
  private static final Optional<SlowestExecutor> SLOWEST =
      SlowestExecutor.of(
          List.of(
              new Even("0", "10.0.0.1", 0.2, 0.02, 0),
              new Even("1", "10.0.0.2", 0.21, 0.02, 0),
              new Even("3", "10.0.0.9", 0.9, 0.05, 0.001)));

  @Test
  void trained_slowHostAndPackingPaidBack_isTwoLines() {
    TrainedSummary summary =
        new TrainedSummary(31, 12.4, 30.1, 2.125, false, OptionalInt.of(4), 0, 0, SLOWEST);

    assertThat(ReportText.trained(2, SITE, summary, /* isHandedOver= */ false))
        .containsExactly(
            "Spark ATA ran training 2: SVMWithSGD.train at App.java:31, 31 rounds of 0.400 s, 12.4"
                + " s in rounds; even shares would have taken 30.1 s (59 % saved). Packing took 2.125"
                + " s, paid back after 4 rounds",
            "Spark ATA training 2: slowest host 10.0.0.9 (executor 3), 0.951 s for an even share,"
                + " against 0.230 s for the median of 3 executors, mostly by its kernel: kernel"
                + " 0.900 s, per-round overhead 0.050 s, fetching 0.001 s");
  }

  @Test
  void trained_notPaidBackOnOneExecutor_isOneLine() {
    TrainedSummary summary =
        new TrainedSummary(1, 0.5, 0.5, 20, false, OptionalInt.empty(), 0, 0, Optional.empty());

    assertThat(ReportText.trained(1, SITE, summary, /* isHandedOver= */ false))
        .containsExactly(
            "Spark ATA ran training 1: SVMWithSGD.train at App.java:31, 1 round of 0.500 s, 0.500 s"
                + " in rounds; even shares would have taken 0.500 s (nothing saved). Packing took 20.0"
                + " s, not paid back");
  }

  @Test
  void trained_firstSumPacked_saysSo() {
    TrainedSummary summary =
        new TrainedSummary(9, 9, 18, 2.5, true, OptionalInt.empty(), 0, 0, Optional.empty());

    assertThat(ReportText.trained(1, SITE, summary, /* isHandedOver= */ false))
        .singleElement()
        .asString()
        .endsWith("(50 % saved). The first sum, which packed the data, took 2.500 s besides");
  }

  @Test
  void trained_greedy_saysWhatWasDropped() {
    TrainedSummary summary =
        new TrainedSummary(
            9, 9, 9, 1, false, OptionalInt.empty(), 20.3, 4.5, /* slowest= */ Optional.empty());

    assertThat(ReportText.trained(1, SITE, summary, /* isHandedOver= */ false))
        .singleElement()
        .asString()
        .endsWith("not paid back. Slots worked 20.3 s for the sums and 4.500 s that were dropped");
  }

  @Test
  void trained_slowerThanEvenShares_saysSo() {
    TrainedSummary summary =
        new TrainedSummary(10, 11, 10, 1, false, OptionalInt.empty(), 0, 0, Optional.empty());

    assertThat(ReportText.trained(1, SITE, summary, /* isHandedOver= */ false))
        .singleElement()
        .asString()
        .contains("even shares would have taken 10.0 s (10 % lost)");
  }

  @Test
  void trained_mllibRanTheRest_isOneLineThatSaysSo() {
    TrainedSummary summary =
        new TrainedSummary(9, 9, 9, 1, false, OptionalInt.empty(), 0, 0, SLOWEST);

    assertThat(ReportText.trained(1, SITE, summary, /* isHandedOver= */ true))
        .singleElement()
        .asString()
        .contains("9 rounds of 1.000 s (MLlib ran the rest), 9.000 s in rounds");
  }

  @Test
  void observed_slowHost_isTwoLines() {
    ObservedSummary summary =
        new ObservedSummary(
            31, 61.9, 22.7, new TreeMap<>(Map.of("0", 8.0, "1", 7.5, "3", 2.0)), SLOWEST);

    assertThat(ReportText.observed(2, SITE, summary))
        .containsExactly(
            "Spark ATA observed training 2: SVMWithSGD.train at App.java:31, 31 rounds of 1.997 s by"
                + " MLlib, 0.732 s with allocation (63 % less), 61.9 s and 22.7 s in all",
            "Spark ATA training 2: slowest host 10.0.0.9 (executor 3), 0.951 s for an even share,"
                + " against 0.230 s for the median of 3 executors, mostly by its kernel: kernel"
                + " 0.900 s, per-round overhead 0.050 s, fetching 0.001 s; relative speeds 0=4.00"
                + " 1=3.75 3=1.00");
  }

  @Test
  void observed_manyExecutors_namesTen() {
    Map<String, Double> speeds =
        IntStream.range(0, 1000)
            .boxed()
            .collect(Collectors.toMap(String::valueOf, id -> 1.0, (a, b) -> a, TreeMap::new));

    assertThat(ReportText.observed(2, SITE, new ObservedSummary(1, 1, 1, speeds, SLOWEST)).get(1))
        .endsWith(" and 990 more")
        .hasSizeLessThan(400);
  }

  @Test
  void left_always_isOneLineWithReasonAndAdvice() {
    assertThat(ReportText.left(3, SITE, "there is one executor only", "Use more executors"))
        .isEqualTo(
            "Spark ATA left training 3 to Spark: SVMWithSGD.train at App.java:31, because there is"
                + " one executor only. Use more executors");
  }

  @ParameterizedTest
  @CsvSource({"0, 0.000", "0.0004, 0.000", "9.9996, 10.0", "59.96, 60.0", "12345, '12,345'"})
  void seconds_always_haveAFewDigits(double value, String text) {
    assertThat(ReportText.seconds(value)).isEqualTo(text);
  }
}
