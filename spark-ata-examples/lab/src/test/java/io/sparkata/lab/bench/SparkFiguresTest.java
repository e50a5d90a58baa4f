package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.lab.Rounds;
import io.sparkata.lab.RunFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Figures from Spark's events, the round log and the rows. */
class SparkFiguresTest {
  private static final double TINY = 1e-12;

  @TempDir private Path folder;

  @Test
  void isEvaluation_ofAJobsStack_isTrueInsideCalculateOnly() {
    assertThat(
            Evaluations.isEvaluation(
                "app.Main.main(Main.java:1)\n"
                    + "org.apache.spark.ml.optim.loss.RDDLossFunction.calculate(R.scala:61)"))
        .isTrue();
    assertThat(
            Evaluations.isEvaluation(
                "org.apache.spark.mllib.optimization.LBFGS$CostFun.calculate(LBFGS.scala:273)"))
        .isTrue();
    assertThat(
            Evaluations.isEvaluation(
                "org.apache.spark.ml.stat.Summarizer$.getClassificationSummarizers(Summarizer.scala)"))
        .isFalse();
  }

  @Test
  void isRound_ofAJobsDescription_isTrueForPackingAndSummingOnly() {
    assertThat(Evaluations.isRound("Spark ATA training 3, round 1: packing and summing")).isTrue();
    assertThat(Evaluations.isRound("mine: Spark ATA training 3, round 2: on 4 executors")).isTrue();
    assertThat(Evaluations.isRound("Spark ATA training 3: packing lost blocks again, round 2"))
        .isFalse();
    assertThat(Evaluations.isRound(null)).isFalse();
  }

  @Test
  void lastLog_isTheHighestNumberOfTheApplication() throws Exception {
    for (String name :
        List.of("app-1-call-9", "app-1-call-10", "app-2-call-11", "app-10-call-12")) {
      Files.writeString(folder.resolve(name + ".jsonl"), "");
    }
    assertThat(RoundFigures.lastLog(folder, "app-1"))
        .isEqualTo(folder.resolve("app-1-call-10.jsonl"));
    assertThatThrownBy(() -> RoundFigures.lastLog(folder, "app-3"))
        .isInstanceOf(RunFailure.class)
        .hasMessageStartingWith("Cannot find a round log in ");
  }

  /**
   * Executors take 1 and 3 s for all rows, and 0.5 s a round for the rest. Fetching all takes 4 s,
   * and the quarter that is in the wrong place 1 s. Even rounds take 2 s, the best 1.25 s; the call
   * takes 20 s.
   */
  @ParameterizedTest
  @CsvSource({"5, 17.25", "1, 20"})
  void addHindsight_ofEvenRounds_comparesThemWithTheBestMove(int rounds, double least) {
    Rounds.Worker fast = new Rounds.Worker("0", 1, 50, 500_000_000, 0, 0, 0, 400_000_000, 100);
    Rounds.Worker slow = new Rounds.Worker("1", 1, 50, 1_500_000_000, 0, 0, 0, 0, 0);
    Rounds.Round round =
        new Rounds.Round(false, 128, "stage", 2_000_000_000, 0, 1000 / rounds, List.of(fast, slow));
    Map<String, Double> figures = new TreeMap<>(Map.of(Turn.CALL, 20.0));

    RoundFigures.addHindsight(figures, new Rounds(Collections.nCopies(rounds, round), 0));

    assertThat(figures.get("fetchRounds")).isCloseTo(2, within(TINY));
    assertThat(figures.get("ratioToHindsight")).isCloseTo(20 / least, within(TINY));
  }

  @Test
  void correlated_addsAPartOfTheValueBefore() {
    assertThat(Fit.correlated(Vectors.dense(1, 0, 2)).toArray())
        .containsExactly(new double[] {1, 0.9, 2.81}, within(TINY));
  }
}
