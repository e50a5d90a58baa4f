package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.lab.RunFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arithmetic between what the driver hears of fits and what is reported. */
class FitFiguresTest {
  private static final double TINY = 1e-12;

  @TempDir private Path folder;

  @Test
  void medianSeconds_leaveOutTheFirstThreeEvaluations() {
    assertThat(run(List.of(5.0, 15.0, 18.0, 19.0, 21.0, 24.0)).medianSeconds()).isEqualTo(2);
  }

  @Test
  void secondsToLoss_isTheEvaluationThatSawIt() {
    FitRun run = run(List.of(1.0, 2.0, 4.0, 8.0), List.of(0.9, 0.7, 0.5, 0.4));
    assertThat(run.secondsToLoss(0.9)).isEqualTo(1);
    assertThat(run.secondsToLoss(0.6)).isEqualTo(4);
    assertThat(run.secondsToLoss(0.3)).isNaN();
    assertThat(run.secondsToLoss(Double.NaN)).isNaN();
    assertThat(run.finalLoss()).isEqualTo(0.4);
    assertThat(run(List.of(1.0)).finalLoss()).isNaN();
  }

  @Test
  void secondsToLoss_withMoreEvaluationsThanLosses_spreadsThem() {
    FitRun run = run(List.of(1.0, 2.0, 4.0, 8.0), List.of(0.9, 0.5));
    assertThat(run.secondsToLoss(0.9)).isEqualTo(2);
    assertThat(run.secondsToLoss(0.5)).isEqualTo(8);
  }

  @Test
  void figures_ofASide_areRatiosOfTurnsNextToEachOther() {
    Map<FitSide, List<FitRun>> runs = new LinkedHashMap<>();
    runs.put(FitSide.STOCK, List.of(run(2.0), run(10.0), run(16.0)));
    runs.put(FitSide.ADAPTIVE, List.of(run(1.0), run(10.0), run(4.0)));
    List<FitMeasurement> figures = figures(FitCase.LINEAR_SVC).of(runs);
    assertThat(figures).extracting(FitMeasurement::side).containsExactly("stock", "adaptive");
    FitMeasurement adaptive = figures.get(1);
    assertThat(adaptive.caseName()).isEqualTo("linear-svc");
    assertThat(adaptive.estimator()).isEqualTo("LinearSVC");
    assertThat(adaptive.repetitions()).isEqualTo(3);
    assertThat(adaptive.evaluations()).isEqualTo(5);
    assertThat(adaptive.medianSecondsPerEvaluation()).isEqualTo(4);
    assertThat(adaptive.cpuSecondsPerEvaluation()).isEqualTo(4.5 * 4);
    assertThat(adaptive.ratioToStock()).isEqualTo(2);
    assertThat(adaptive.adaptiveRatio()).isEqualTo(1);
    assertThat(adaptive.executorSeconds()).isEqualTo(2 * adaptive.fitSeconds());
    assertThat(adaptive.storageToStock()).isEqualTo(1);
    assertThat(adaptive.targetLoss()).isCloseTo(0.5005, within(TINY));
    assertThat(adaptive.secondsToLoss()).isEqualTo(5 * 4);
    assertThat(figures.get(0).adaptiveRatio()).isEqualTo(2);
  }

  @Test
  void figures_ofACrossValidator_areOfTheWholeCall() {
    Map<FitSide, List<FitRun>> runs = new LinkedHashMap<>();
    runs.put(FitSide.STOCK, List.of(run(8.0)));
    runs.put(FitSide.UNIFORM, List.of(run(2.0)));
    FitMeasurement uniform = figures(FitCase.CROSS_VALIDATOR).of(runs).get(1);
    assertThat(uniform.medianSecondsPerEvaluation()).isNaN();
    assertThat(uniform.ratioToStock()).isEqualTo(4).isEqualTo(uniform.fitRatioToStock());
    assertThat(uniform.adaptiveRatio()).isNaN();
  }

  @Test
  void figures_withoutStock_haveNoRatioToIt() {
    FitMeasurement only =
        figures(FitCase.LINEAR_SVC).of(Map.of(FitSide.ADAPTIVE, List.of(run(2.0)))).get(0);
    assertThat(only.ratioToStock()).isNaN();
    assertThat(only.targetLoss()).isNaN();
    assertThat(only.secondsToLoss()).isNaN();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "app.Main.main(Main.java:1)\norg.apache.spark.ml.optim.loss.RDDLossFunction.calculate(R.scala:61)",
        "org.apache.spark.mllib.optimization.LBFGS$CostFun.calculate(LBFGS.scala:273)"
      })
  void isEvaluation_ofAJobInsideCalculate_isTrue(String details) {
    assertThat(Evaluations.isEvaluation(details)).isTrue();
  }

  @Test
  void isEvaluation_ofASummary_isFalse() {
    assertThat(
            Evaluations.isEvaluation(
                "org.apache.spark.ml.stat.Summarizer$.getClassificationSummarizers(Summarizer.scala)"))
        .isFalse();
  }

  @Test
  void isRound_ofAJobsDescription_isTrueForPackingAndSummingOnly() {
    assertThat(Evaluations.isRound("Spark ATA training 3, round 1: packing and summing")).isTrue();
    assertThat(
            Evaluations.isRound("mine: Spark ATA training 3, round 2: 9 elements on 4 executors"))
        .isTrue();
    assertThat(Evaluations.isRound("Spark ATA training 3: packing lost blocks again, round 2"))
        .isFalse();
    assertThat(Evaluations.isRound(null)).isFalse();
  }

  @Test
  void require_ofARoutedSideWithoutRounds_fails() {
    assertThat(RoutedRounds.require("adaptive", "rows", /* isRouted= */ true, 3)).isEqualTo(3);
    assertThat(RoutedRounds.require("stock", "rows", /* isRouted= */ false, 0)).isZero();
    assertThatThrownBy(() -> RoutedRounds.require("adaptive", "svc", /* isRouted= */ true, 0))
        .isInstanceOf(RunFailure.class)
        .hasMessageStartingWith(
            "Cannot measure adaptive on svc: Spark ATA answered none of its evaluations");
    assertThatThrownBy(() -> RoutedRounds.require("lbfgs", "rows", /* isRouted= */ false, 3))
        .isInstanceOf(RunFailure.class)
        .hasMessageStartingWith("Cannot measure lbfgs on rows: Spark ATA answered 3 of its");
  }

  @Test
  void lastLog_isTheHighestNumberOfTheApplication() throws Exception {
    for (String name :
        List.of("app-1-call-9", "app-1-call-10", "app-2-call-11", "app-10-call-12")) {
      Files.writeString(folder.resolve(name + ".jsonl"), "");
    }
    assertThat(SideRun.lastLog(folder, "app-1")).isEqualTo(folder.resolve("app-1-call-10.jsonl"));
    assertThatThrownBy(() -> SideRun.lastLog(folder, "app-3"))
        .isInstanceOf(RunFailure.class)
        .hasMessageStartingWith("Cannot find a round log in ");
  }

  @Test
  void sides_differByConfigurationAlone() {
    assertThat(FitSide.ids())
        .containsExactly(
            "stock",
            "stock-partitioned",
            "stock-replicated",
            "uniform",
            "adaptive",
            "adaptive-partitioned");
    assertThat(FitSide.STOCK_REPLICATED.settings())
        .containsOnly(Map.entry("spark.ata.enabled", "false"));
    List<FitSide> sides = FitSide.of(List.of("stock"), Optional.of("my.Policy"));
    assertThat(sides).containsExactly(FitSide.STOCK, FitSide.ofPolicy("my.Policy"));
    assertThat(sides.get(1).settings())
        .containsEntry("spark.ata.enabled", "true")
        .containsEntry("spark.ata.policy", "my.Policy");
  }

  @ParameterizedTest
  @EnumSource(FitCase.class)
  void work_ofASmallEvaluation_hasATenthOfTheRows(FitCase one) {
    FitWork small = FitWork.of(one, Workload.SMALL, /* seed= */ 1);
    FitWork large = FitWork.of(one, Workload.LARGE, /* seed= */ 1);
    assertThat(large.rows().rows()).isEqualTo(10 * small.rows().rows());
    assertThat(large.dataset()).doesNotContain("gradient");
  }

  @Test
  void correlated_addsAPartOfTheValueBefore() {
    assertThat(FitWork.correlated(Vectors.dense(1, 0, 2)).toArray())
        .containsExactly(new double[] {1, 0.9, 2.81}, within(TINY));
  }

  private static FitFigures figures(FitCase one) {
    return new FitFigures(
        "2,1", FitWork.of(one, Workload.SMALL, /* seed= */ 1), /* iterations= */ 15, 2);
  }

  /** Five evaluations of so many seconds. */
  private static FitRun run(double seconds) {
    return run(
        List.of(seconds, 2 * seconds, 3 * seconds, 4 * seconds, 5 * seconds), List.of(0.9, 0.5));
  }

  private static FitRun run(List<Double> ends) {
    return run(ends, List.of());
  }

  private static FitRun run(List<Double> ends, List<Double> losses) {
    return new FitRun(ends, ends, ends.get(ends.size() - 1), 1, 100, losses, 3, 0);
  }
}
