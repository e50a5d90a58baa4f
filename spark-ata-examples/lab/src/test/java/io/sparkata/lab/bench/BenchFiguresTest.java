package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.lab.Medians;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;

/** The arithmetic between what the driver clocks and what is reported. */
class BenchFiguresTest {
  private static final double TINY = 1e-12;

  @Test
  void medians_takeTheMiddle() {
    assertThat(Medians.of(new double[] {3, 1, 2})).isEqualTo(2);
    assertThat(Medians.of(new double[] {4, 1, 2, 3})).isEqualTo(2.5);
  }

  @Test
  void speeds_meanSharesAndDrift() {
    Map<String, Double> before = Map.of("0", 80.0, "1", 20.0);
    Map<String, Double> after = Map.of("0", 88.0, "1", 20.0);
    assertThat(Speeds.mean(before, after)).isEqualTo(Map.of("0", 84.0, "1", 20.0));
    assertThat(Speeds.sum(before, after)).isEqualTo(104);
    assertThat(Speeds.drift(Set.of("0", "1"), before, after)).isCloseTo(0.1, within(TINY));
    assertThat(Speeds.shares(before)).isEqualTo(Map.of("0", 0.8, "1", 0.2));
  }

  @Test
  void drift_ofCalibrationsThatLackAnExecutor_isNaN() {
    Set<String> executors = Set.of("0", "1");
    Map<String, Double> all = Map.of("0", 80.0, "1", 20.0);
    Map<String, Double> one = Map.of("0", 80.0);
    assertThat(Speeds.drift(executors, all, one)).isNaN();
    assertThat(Speeds.drift(executors, one, all)).isNaN();
    assertThat(Speeds.drift(executors, one, one)).isNaN();
    assertThat(Speeds.drift(executors, Map.of(), Map.of())).isNaN();
    assertThat(Speeds.drift(Set.of(), Map.of(), Map.of())).isNaN();
  }

  @Test
  void turns_haveTheCalibrationsAroundThem() {
    Iterator<Map<String, Double>> calibrations =
        List.of(Map.of("0", 10.0), Map.of("0", 20.0), Map.of("0", 30.0)).iterator();
    CalibratedTurns turns = new CalibratedTurns(calibrations::next);
    turns.add(BenchSide.MLLIB, run(1.0));
    turns.calibrate();
    turns.add(BenchSide.ADAPTIVE, run(2.0));
    turns.add(BenchSide.MLLIB, run(3.0));
    turns.calibrate();
    Map<String, Double> ten = Map.of("0", 10.0);
    Map<String, Double> twenty = Map.of("0", 20.0);
    Map<String, Double> thirty = Map.of("0", 30.0);
    assertThat(turns.calibrated(BenchSide.MLLIB))
        .containsExactly(
            new CalibratedRun(run(1.0), ten, twenty), new CalibratedRun(run(3.0), twenty, thirty));
    assertThat(turns.calibrated(BenchSide.ADAPTIVE))
        .containsExactly(new CalibratedRun(run(2.0), twenty, thirty));
    assertThat(turns.of(BenchSide.MLLIB)).containsExactly(run(1.0), run(3.0));
    assertThat(turns.of(BenchSide.UNIFORM)).isEmpty();
  }

  @Test
  void calibratedRun_hasEfficiencyDriftAndShares() {
    CalibratedRun calibrated =
        new CalibratedRun(run(2.0), Map.of("0", 60.0, "1", 30.0), Map.of("0", 60.0, "1", 50.0));
    assertThat(calibrated.efficiency(150)).isCloseTo(0.75, within(TINY));
    assertThat(calibrated.drift(Set.of("0", "1"))).isCloseTo(2.0 / 3, within(TINY));
    assertThat(calibrated.speedShares()).isEqualTo(Map.of("0", 0.6, "1", 0.4));
    assertThat(new CalibratedRun(run(2.0), Map.of(), Map.of()).efficiency(150)).isNaN();
  }

  @Test
  void trusted_areTheRunsWhoseCalibrationsAgree_orAll() {
    CalibratedRun calm = new CalibratedRun(run(1.0), Map.of("0", 50.0), Map.of("0", 54.0));
    CalibratedRun noisy = new CalibratedRun(run(1.0), Map.of("0", 50.0), Map.of("0", 56.0));
    CalibratedRun unknown = new CalibratedRun(run(1.0), Map.of(), Map.of());
    Set<String> executors = Set.of("0");
    assertThat(CalibratedRun.trusted(List.of(noisy, calm, unknown), executors))
        .containsExactly(calm);
    assertThat(CalibratedRun.trusted(List.of(noisy, unknown), executors))
        .containsExactly(noisy, unknown);
  }

  @Test
  void recovery_needsThreeEfficientRoundsInARow() {
    double[] efficiency = {1, 1, 0.3, 0.9, 0.5, 0.9, 0.81, 0.8, 0.2};
    assertThat(Drift.roundsUntilRecovered(efficiency, 2, 9)).isEqualTo(3);
    assertThat(Drift.roundsUntilRecovered(efficiency, 2, 7)).isNaN();
    assertThat(Drift.roundsUntilRecovered(efficiency, 0, 2)).isNaN();
  }

  @Test
  void secondsToLoss_ofGradientDescent_isTheUpdateThatSawTheLoss() {
    // three updates see the first three losses; the fourth is seen after the last
    SideRun run = run(List.of(1.0, 2.0, 3.0), List.of(0.9, 0.5, 0.4, 0.3));
    assertThat(run.secondsToLoss(0.5)).isEqualTo(2);
    assertThat(run.secondsToLoss(0.45)).isEqualTo(3);
    assertThat(run.secondsToLoss(0.1)).isNaN();
    assertThat(run.iterationSeconds()).containsExactly(1, 1, 1);
    assertThat(run.finalLoss()).isEqualTo(0.3);
  }

  @Test
  void secondsToLoss_withTwoLooksALoss_spreadsThem() {
    SideRun run = run(List.of(1.0, 2.0, 3.0, 4.0), List.of(0.9, 0.5));
    assertThat(run.secondsToLoss(0.9)).isEqualTo(2);
    assertThat(run.secondsToLoss(0.5)).isEqualTo(4);
  }

  @Test
  void medianRatio_ofRunsInTurn_isTheMedianOfThePairsRatios() {
    // the machine slows down to a quarter; the ratio of the medians would be 10 / 8
    List<SideRun> slow = List.of(run(4.0), run(10.0), run(16.0));
    List<SideRun> fast = List.of(run(2.0), run(10.0), run(8.0));
    assertThat(ComparedFigures.medianRatio(slow, fast)).isEqualTo(2);
    assertThat(ComparedFigures.medianRatio(fast, slow)).isEqualTo(0.5);
    assertThat(ComparedFigures.medianRatio(slow, List.of())).isNaN();
  }

  @Test
  void shareError_isTheLargestRelativeOne() {
    Measurement even = measurement(Map.of("0", 0.5, "1", 0.5), Map.of("0", 0.8, "1", 0.2));
    assertThat(even.shareError()).isCloseTo(1.5, within(TINY));
    assertThat(measurement(Map.of(), Map.of("0", 1.0)).shareError()).isNaN();
  }

  @Test
  void calibratedPolicy_sharesOutBySpeed() {
    CalibratedPolicy.use(Map.of("a", 300.0, "b", 100.0));
    AllocationPolicy policy = new CalibratedPolicy(PolicySettings.defaults());
    assertThat(policy.id()).isEqualTo("static");
    assertThat(policy.allocate(List.of("a", "b"), 100)).containsExactly(75, 25);
  }

  @Test
  void sides_haveTheNamesOfTheCommandLine() {
    assertThat(BenchSide.ids())
        .containsExactly(
            "mllib",
            "mllib-speculation",
            "mllib-partitioned",
            "mllib-replicated",
            "lbfgs",
            "lbfgs-adaptive",
            "uniform",
            "static",
            "self-adaptive",
            "ata-empirical",
            "adaptive",
            "greedy");
    assertThat(BenchSide.of("mllib-speculation").orElseThrow().speculates()).isTrue();
    assertThat(BenchSide.of("nobody")).isEmpty();
  }

  @Test
  void side_ofAUsersPolicy_isNamedByItsClassAndIsNotStock() {
    BenchSide side = BenchSide.ofPolicy("my.Policy");
    assertThat(side.id()).isEqualTo("my.Policy");
    assertThat(side.policy()).contains("my.Policy");
    assertThat(side.isStock()).isFalse();
    assertThat(BenchSide.MLLIB_REPLICATED.isStock()).isTrue();
    assertThat(BenchSide.LBFGS_ADAPTIVE.isStock()).isFalse();
    assertThat(BenchSide.LBFGS_ADAPTIVE.isLbfgs()).isTrue();
    assertThat(BenchSide.ADAPTIVE.isLbfgs()).isFalse();
  }

  private static SideRun run(double medianSeconds) {
    return new SideRun(medianSeconds, List.of(), 5, 5, 0, 0, Map.of(), List.of(), Vectors.zeros(1));
  }

  private static SideRun run(List<Double> updates, List<Double> losses) {
    return new SideRun(1, updates, 5, 5, 0, 0, Map.of(), losses, Vectors.zeros(1));
  }

  private static Measurement measurement(
      Map<String, Double> shares, Map<String, Double> speedShares) {
    return new Measurement(
        "heterogeneous",
        "adaptive",
        "8,2",
        "rows",
        "large",
        1,
        30,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        0,
        0,
        0,
        shares,
        speedShares,
        1,
        0,
        List.of(),
        Map.of());
  }
}
