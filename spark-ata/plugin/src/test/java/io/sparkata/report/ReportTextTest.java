package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.report.SlowestExecutor.Even;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportTextTest {
  private static final String NAME = "logreg_4f2a on RDD 7, maxIter=30 regParam=0.1 at App.java:31";
  private static final Optional<SlowestExecutor> SLOWEST =
      SlowestExecutor.of(
          List.of(
              new Even("0", "10.0.0.1", 0.2, 0.02),
              new Even("1", "10.0.0.2", 0.21, 0.02),
              new Even("3", "10.0.0.9", 0.9, 0.05)));
  private static final SavedSeconds SAVED = new SavedSeconds(17.7, 15, 20.4);

  @Test
  void trained_slowHost_isTwoLines() {
    assertThat(trained(Optional.of(SAVED), Optional.empty(), SLOWEST))
        .containsExactly(
            "Spark ATA ran training 2: logreg_4f2a on RDD 7, maxIter=30 regParam=0.1 at App.java:31:"
                + " 31 rounds in 12.4 s; even shares: 30.1 s (27.4 to 32.8), 59 % saved",
            "Spark ATA training 2: 0.400 s a round; packing took 2.125 s; slowest host 10.0.0.9"
                + " (executor 3): 0.950 s for an even share (kernel 0.900, overhead 0.050), 0.230 s"
                + " for the median of 3 executors");
  }

  @Test
  void trained_nothingCertain_claimsNothing() {
    SavedSeconds uncertain = new SavedSeconds(1, -0.1, 2.1);

    assertThat(trained(Optional.of(uncertain), Optional.empty(), Optional.empty()).get(0))
        .endsWith(": 31 rounds in 12.4 s; even shares: no certain difference");
  }

  @Test
  void trained_fewRounds_areNotKnownYet() {
    assertThat(trained(Optional.empty(), Optional.empty(), Optional.empty()).get(0))
        .endsWith("; saved over even shares: not known yet");
  }

  @Test
  void trained_anExecutorIsNotKnown_savedAtLeast() {
    assertThat(trained(Optional.of(SAVED), Optional.of("5"), Optional.empty()))
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .endsWith("even shares: at least 30.1 s (27.4 to 32.8), 59 % saved"),
            second ->
                assertThat(second).endsWith("; executor 5 had too few rows to tell its speed"));
  }

  @Test
  void trained_anExecutorIsNotKnownAndNothingSaved_isNotKnownYet() {
    SavedSeconds lost = new SavedSeconds(-1, -2, -0.1);

    assertThat(trained(Optional.of(lost), Optional.of("5"), Optional.empty()).get(0))
        .endsWith("; saved over even shares: not known yet");
  }

  @Test
  void trained_slowerThanEvenShares_saysSo() {
    SavedSeconds lost = new SavedSeconds(-2.4, -3.4, -1.4);

    assertThat(trained(Optional.of(lost), Optional.empty(), Optional.empty()).get(0))
        .endsWith("even shares: 10.0 s (9.000 to 11.0), 24 % lost");
  }

  @Test
  void trained_evenExecutors_namesNone() {
    Optional<SlowestExecutor> alike =
        SlowestExecutor.of(List.of(new Even("0", "a", 0.2, 0.02), new Even("1", "b", 0.21, 0.02)));

    assertThat(trained(Optional.empty(), Optional.empty(), alike).get(1))
        .isEqualTo("Spark ATA training 2: 0.400 s a round; packing took 2.125 s");
  }

  @Test
  void trained_firstSumPacked_saysSo() {
    TrainedSummary summary =
        new TrainedSummary(
            9,
            9,
            2.5,
            true,
            MovedRows.NONE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    assertThat(ReportText.trained(1, NAME, summary, /* isHandedOver= */ false).get(1))
        .isEqualTo(
            "Spark ATA training 1: 1.000 s a round; packing with the first sum took 2.500 s");
  }

  @Test
  void trained_rowsMoved_saysHowManyAndWhatStopsMore() {
    MovedRows moved = new MovedRows(310_400_000, 2, 0.25);
    TrainedSummary summary =
        new TrainedSummary(
            9,
            9,
            2.5,
            false,
            moved,
            Optional.of(new LackingMemory("3", 1.25e9)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    assertThat(ReportText.trained(1, NAME, summary, /* isHandedOver= */ false).get(1))
        .isEqualTo(
            "Spark ATA training 1: 1.000 s a round; packing took 2.500 s; moved 310.4 MB to 2"
                + " executors, 0.250 s of it waited for; executor 3 has no memory for 1,250.0 MB of"
                + " the rows that it could compute");
  }

  @Test
  void trained_mllibRanTheRest_isOneLineThatSaysSo() {
    TrainedSummary summary =
        new TrainedSummary(
            9,
            9,
            1,
            false,
            MovedRows.NONE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            SLOWEST);

    assertThat(ReportText.trained(1, NAME, summary, /* isHandedOver= */ true))
        .singleElement()
        .asString()
        .contains(
            "9 rounds in 9.000 s (MLlib ran the rest); saved over even shares: not known yet");
  }

  @Test
  void trained_longName_isCutTo160Characters() {
    TrainedSummary summary =
        new TrainedSummary(
            12_345,
            99_999,
            1,
            false,
            MovedRows.NONE,
            Optional.empty(),
            Optional.of(SAVED),
            Optional.of("5"),
            Optional.empty());

    String first = ReportText.trained(1, "x".repeat(500), summary, false).get(0);
    assertThat(first).hasSize(160).contains("xxx...: 12,345 rounds in 99,999 s; even shares: at");
  }

  @Test
  void observed_slowHost_isTwoLines() {
    assertThat(ReportText.observed(2, NAME, observed(Optional.of(SAVED))))
        .containsExactly(
            "Spark ATA observed training 2: logreg_4f2a on RDD 7, maxIter=30 regParam=0.1 ...:"
                + " 31 rounds in 61.9 s by Spark; with allocation: 41.5 to 46.9 s,"
                + " 24 to 33 % less",
            "Spark ATA training 2: 1.997 s a round; slowest host 10.0.0.9 (executor 3): 0.950 s for"
                + " an even share (kernel 0.900, overhead 0.050), 0.230 s for the median of 3"
                + " executors; relative speeds 0=4.00 1=3.75 3=1.00");
  }

  @Test
  void observed_nothingCertain_claimsNothing() {
    assertThat(
            ReportText.observed(2, NAME, observed(Optional.of(new SavedSeconds(1, -1, 3)))).get(0))
        .endsWith("; with allocation: nothing certain to save (58.9 to 62.9 s)");
    assertThat(ReportText.observed(2, NAME, observed(Optional.empty())).get(0))
        .endsWith("; with allocation: not known yet");
  }

  @Test
  void observed_manyExecutors_namesTen() {
    Map<String, Double> speeds =
        IntStream.range(0, 1000)
            .boxed()
            .collect(Collectors.toMap(String::valueOf, id -> 1.0, (a, b) -> a, TreeMap::new));
    ObservedSummary summary = new ObservedSummary(1, 1, Optional.empty(), speeds, SLOWEST);

    assertThat(ReportText.observed(2, NAME, summary).get(1))
        .endsWith(" and 990 more")
        .hasSizeLessThan(400);
  }

  @Test
  void left_always_isOneLineWithReasonAndAdvice() {
    assertThat(ReportText.left(3, NAME, "there is one executor only", "Use more executors"))
        .isEqualTo(
            "Spark ATA left training 3 to Spark: "
                + NAME
                + ", because there is one executor only."
                + " Use more executors");
  }

  @ParameterizedTest
  @CsvSource({"0, 0.000", "0.0004, 0.000", "9.9996, 10.0", "59.96, 60.0", "12345, '12,345'"})
  void seconds_always_haveAFewDigits(double value, String text) {
    assertThat(ReportText.seconds(value)).isEqualTo(text);
  }

  private static List<String> trained(
      Optional<SavedSeconds> saved,
      Optional<String> unmeasured,
      Optional<SlowestExecutor> slowest) {
    return ReportText.trained(
        2,
        NAME,
        new TrainedSummary(
            31, 12.4, 2.125, false, MovedRows.NONE, Optional.empty(), saved, unmeasured, slowest),
        /* isHandedOver= */ false);
  }

  private static ObservedSummary observed(Optional<SavedSeconds> saved) {
    return new ObservedSummary(
        31, 61.9, saved, new TreeMap<>(Map.of("0", 8.0, "1", 7.5, "3", 2.0)), SLOWEST);
  }
}
