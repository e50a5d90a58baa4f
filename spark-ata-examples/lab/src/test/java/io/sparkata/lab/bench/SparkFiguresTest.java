package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.lab.RunFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    assertThat(
            Evaluations.isRound("mine: Spark ATA training 3, round 2: 9 elements on 4 executors"))
        .isTrue();
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

  @Test
  void correlated_addsAPartOfTheValueBefore() {
    assertThat(Fit.correlated(Vectors.dense(1, 0, 2)).toArray())
        .containsExactly(new double[] {1, 0.9, 2.81}, within(TINY));
  }
}
