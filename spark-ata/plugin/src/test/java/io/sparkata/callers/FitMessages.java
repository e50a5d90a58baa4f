package io.sparkata.callers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of the fits that sum by L-BFGS. */
abstract class FitMessages extends Messages {
  private final int partitions;

  /**
   * @param partitions of the data
   */
  FitMessages(int partitions, Function<Map<String, String>, JavaSparkContext> start) {
    super(List.of("org.apache.spark.ml", "org.apache.spark.mllib", "breeze"), start);
    this.partitions = partitions;
  }

  @Override
  List<FitSituation> situations() {
    return FitSituation.all(partitions);
  }

  /** Of spark.ml's and breeze's lines only warnings: the others have all steps and parameters. */
  @Override
  boolean isCompared(String line) {
    return !line.startsWith("INFO ") || line.startsWith("INFO org.apache.spark.mllib.optimization");
  }

  @Override
  List<String> failingJobs() {
    return namesOf(outcome -> outcome.failedJobs() > 0);
  }

  @Override
  List<String> throwing() {
    return namesOf(outcome -> !outcome.exception().isEmpty());
  }

  private List<String> namesOf(Predicate<Outcome> ofStock) {
    return situations().stream()
        .map(FitSituation::name)
        .filter(name -> ofStock.test(stock(name)))
        .toList();
  }

  @Override
  Counters counters(AtaRuntime runtime) {
    return runtime.evaluations();
  }

  /** Of the last situation. */
  String lastCounters() {
    List<FitSituation> all = situations();
    return routed(all.get(all.size() - 1).name()).counters();
  }

  @Test
  void train_inAll_fellBackNever() {
    assertThat(lastCounters()).endsWith("fallbacks=0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "divergence",
        "features unlike the layers",
        "a time below 0",
        "gradient throws",
        "gradient throws later",
        "weights too short",
        "a row without features",
        "updater throws later"
      })
  void train_sumsAreRouted_count(String situation) {
    List<String> names = situations().stream().map(FitSituation::name).toList();
    String before = names.get(names.indexOf(situation) - 1);

    assertThat(routed(situation).counters()).isNotEqualTo(routed(before).counters());
  }
}
