package io.sparkata.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.JsonOption;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final String REPORT =
      """
      SVMSuite:
      - one
      - two (binary) !!! IGNORED !!!
      - three *** FAILED ***
        1 did not equal 2 (SVMSuite.scala:1)
      Run completed in 1 second.
      """;
  private static final String SOME =
      "INFO AtaRuntime: Spark ATA: calls=2 routed=3 rounds=11 byMessage=4 passedThrough=1"
          + " fallbacks=0\n";
  private static final String LBFGS = SOME.replace("ATA:", "ATA lbfgs:");

  private String stock = REPORT;

  @Test
  void table_bothRan_hasBothColumnsAndTheCountersOfAllContexts() {
    Comparison both = compare("SVMSuite", REPORT, SOME + LBFGS + SOME);
    assertThat(both.complaints(/* mustBeByMessage= */ false)).isEmpty();
    assertThat(both.table().lines())
        .contains(
            "spark-3.5, mllib.SVMSuite: stock 1 of 2, routed 1 of 2",
            "  gradientDescent: {byMessage=8, calls=4, fallbacks=0, passedThrough=2, rounds=22, routed=6}",
            "  lbfgs: {byMessage=4, calls=2, fallbacks=0, passedThrough=1, rounds=11, routed=3}",
            String.format("  %-84s %-8s %-8s", "one", "passed", "passed"),
            String.format("  %-84s %-8s %-8s", "two (binary)", "ignored", "ignored"),
            String.format("  %-84s %-8s %-8s", "three", "failed", "failed"));
    assertThat(JsonOption.line(both))
        .contains(
            "{\"profile\":\"spark-3.5\",\"suite\":{\"className\":\"org.apache.spark.mllib.classification.SVMSuite\"",
            "\"stock\":{\"outcomes\":{\"one\":\"passed\",\"three\":\"failed\",\"two (binary)\":\"ignored\"}");
  }

  @Test
  void complaints_testsThatPassWithStockOnly_sayWhich() {
    stock = "- one\n- other\n";
    assertThat(complaints("SVMSuite", "- one *** FAILED ***\n", SOME))
        .containsExactly(
            "spark-3.5, mllib.SVMSuite: 'one' passes with stock Spark and is failed routed",
            "spark-3.5, mllib.SVMSuite: 'other' passes with stock Spark and is missing routed");
  }

  @Test
  void complaints_routesWithoutRoundsOrWithFallbacks_sayWhich() {
    String fallbacks = LBFGS.replace("fallbacks=0", "fallbacks=2");
    assertThat(complaints("LBFGSSuite", REPORT, fallbacks))
        .containsExactly(
            "spark-3.5, mllib.LBFGSSuite: Spark ATA ran no round of gradientDescent",
            "spark-3.5, mllib.LBFGSSuite: 2 of lbfgs fell back to Spark's own path");
  }

  @Test
  void complaints_suiteDidNotRun_saySo() {
    assertThat(complaints("SVMSuite", "", SOME))
        .containsExactly(
            "spark-3.5, mllib.SVMSuite: did not run, see target/conformance/spark-3.5");
  }

  @Test
  void complaints_byMessage_sayWhereAllOfManyRoundsWereJobs() {
    String jobs = SOME.replace("byMessage=4", "byMessage=0");
    assertThat(complaints("SVMSuite", REPORT, jobs)).isEmpty();
    assertThat(compare("SVMSuite", REPORT, jobs).complaints(/* mustBeByMessage= */ true))
        .containsExactly("spark-3.5, mllib.SVMSuite: no round of gradientDescent went by message");
    String few = jobs.replace("rounds=11", "rounds=10");
    assertThat(compare("SVMSuite", REPORT, few).complaints(/* mustBeByMessage= */ true)).isEmpty();
  }

  private List<String> complaints(String suite, String report, String log) {
    return compare(suite, report, log).complaints(/* mustBeByMessage= */ false);
  }

  private Comparison compare(String suite, String report, String log) {
    PublishedSuite published =
        PublishedSuite.ALL.stream().filter(one -> one.isCalled(suite)).findFirst().orElseThrow();
    SuiteResult routed = SuiteResult.of(report, log);
    return new Comparison("spark-3.5", published, SuiteResult.of(stock, ""), routed);
  }
}
