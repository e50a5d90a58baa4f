package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.blocks.RowSelection;
import io.sparkata.blocks.SharedSampler;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.rounds.CoveredRows;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.TaskWork;
import io.sparkata.rounds.crew.PullMessages.Next;
import io.sparkata.rounds.crew.PullMessages.Pulled;
import io.sparkata.spark.Serialized;
import io.sparkata.testing.LocalSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskKilledException;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What tasks do on an executor, on blocks of which some are lost, of another packing or of another
 * size: a sum is that of the rows which the task says it has read. Rows are whole numbers.
 */
@Tag("spark")
@Timeout(60) // a block whose lock is kept cannot be removed
class ExecutorsWorkPropertyTest extends LocalSuite {
  private static final String HERE = "driver"; // the one executor of local mode
  private static final int CASES = 150;

  private static RoundTask task(List<Span> spans) {
    Executor here = new Executor(HERE, "host", /* slots= */ 1, 0, Device.CPU);
    return new RoundTask(here, spans, List.of(), List.of());
  }

  private static RoundTask trial(List<Span> spans) {
    return new RoundTask(
        HERE, "host", /* slots= */ 1, spans, List.of(), List.of(), /* isTrial= */ true);
  }

  @Test
  void run_someBlocksAreBad_sumsAndReportsTheOthers() {
    for (long seed = 1; seed <= CASES; seed++) {
      StoredRows stored = new StoredRows(sc(), seed, /* badOfTwelve= */ 3);
      List<Span> spans = stored.spans();
      boolean takesAll = stored.random().nextInt(3) == 0;
      RowSelection selection =
          takesAll ? RowSelection.all() : new RowSelection(stored.random().nextDouble(), seed);

      RoundResult<Long> result =
          new TaskWork<>(task(spans), LongSum.undisturbed(), TaskContext$.MODULE$.empty())
              .run(-seed, selection);

      List<Span> good = spans.stream().filter(one -> stored.isGood(one.ref())).toList();
      assertThat(result.sum())
          .as("seed %s", seed)
          .isEqualTo(good.stream().mapToLong(one -> stored.sum(one, selection)).sum());
      assertThat(result.covered())
          .as("seed %s", seed)
          .usingRecursiveFieldByFieldElementComparator()
          .containsExactlyElementsOf(
              good.stream()
                  .map(
                      one -> new CoveredRows(one.block(), StoredRows.PACKING, one.from(), one.to()))
                  .toList());
      assertThat(result.reports().get(0).rows)
          .as("seed %s", seed)
          .isEqualTo(good.stream().mapToLong(Span::rows).sum());
      assertThat(SharedSampler.openRounds()).isZero();
      stored.remove();
    }
  }

  /** Its first step is of one row. */
  @Test
  void run_trial_reportsTheSameInStepsAndBringsNoSum() {
    for (long seed = 1; seed <= CASES; seed++) {
      StoredRows stored = new StoredRows(sc(), seed, /* badOfTwelve= */ 1);
      List<Span> spans = stored.spans();
      RowSelection selection = new RowSelection(stored.random().nextDouble(), seed);

      RoundResult<Long> once = run(task(spans), seed, selection);
      RoundResult<Long> inSteps = run(trial(spans), seed, selection);

      assertThat(inSteps.sum()).as("seed %s", seed).isNull();
      TaskReport report = inSteps.reports().get(0);
      assertThat(report.rows).isEqualTo(once.reports().get(0).rows);
      assertThat(report.sampledRows).isEqualTo(once.reports().get(0).sampledRows);
      stored.remove();
    }
  }

  private static RoundResult<Long> run(RoundTask task, long seed, RowSelection selection) {
    return new TaskWork<>(task, LongSum.undisturbed(), TaskContext$.MODULE$.empty())
        .run(-seed, selection);
  }

  @Test
  void run_killedOrThrown_leavesNothingBehind() {
    for (long seed = 1; seed <= CASES; seed++) {
      StoredRows stored = new StoredRows(sc(), seed, /* badOfTwelve= */ 0);
      List<Span> spans =
          IntStream.range(0, stored.blocks().size())
              .mapToObj(i -> new Span(i, stored.blocks().get(i), 0, stored.blocks().get(i).rows()))
              .toList();
      int at = stored.random().nextInt(spans.size() - 1);
      boolean isKilled = stored.random().nextBoolean();
      LongSum summand = isKilled ? new LongSum(at, LongSum.NEVER) : new LongSum(LongSum.NEVER, at);
      TaskWork<Long> work = new TaskWork<>(task(spans), summand, TaskContext$.MODULE$.empty());
      long round = -seed;

      assertThatThrownBy(() -> work.run(round, RowSelection.all()))
          .isInstanceOf(isKilled ? TaskKilledException.class : ArithmeticException.class);

      assertThat(SharedSampler.openRounds()).isZero();
      stored.remove();
    }
  }

  @Test
  void await_microTask_hasTheSumOfAllItsRowsOrNone() throws InterruptedException {
    for (long seed = 1; seed <= CASES; seed++) {
      StoredRows stored = new StoredRows(sc(), seed, /* badOfTwelve= */ seed % 2 == 0 ? 1 : 0);
      int unit = 1 + stored.random().nextInt(60);
      int number = stored.random().nextInt(10);
      int at = stored.random().nextInt(2);
      LongSum summand =
          switch (stored.random().nextInt(4)) {
            case 0 -> new LongSum(at, LongSum.NEVER);
            case 1 -> new LongSum(LongSum.NEVER, at);
            default -> LongSum.undisturbed();
          };
      MicroShare<Long> share = new MicroShare<>(summand, stored.blocks(), unit, seed);
      Pulled pulled = pulled(new Next(seed, number, null), share, 1 + stored.random().nextInt(3));

      long[] drawn = share.draw(number);
      Long expected = stored.sum(drawn);
      assertThat(pulled.round()).isEqualTo(seed);
      if (pulled.failure() != null) {
        assertThat(pulled.failure()).as("seed %s", seed).contains("the user's gradient");
        assertThat(summand.failsAt()).as("seed %s", seed).isNotEqualTo(LongSum.NEVER);
      } else if (pulled.rows() > 0) {
        assertThat(pulled.rows()).as("seed %s", seed).isEqualTo(drawn.length);
        assertThat(Serialized.result(pulled.sum())).as("seed %s", seed).isEqualTo(expected);
      } else {
        boolean isComplete = expected != null && summand.killedAt() == LongSum.NEVER;
        assertThat(isComplete).as("seed %s: nothing kept it from a sum", seed).isFalse();
      }
      assertThat(pulled.sum() == null).isEqualTo(pulled.rows() == 0);
      stored.remove();
    }
  }

  /** By several slots at once. */
  private static Pulled pulled(Next next, MicroShare<Long> share, int slots)
      throws InterruptedException {
    byte[] bytes = Serialized.work(share);
    MicroTask work = new MicroTask(next, bytes, slot(), slots);
    List<CompletableFuture<Void>> others = new ArrayList<>();
    for (int slot = 1; slot < work.parts(); slot++) {
      others.add(CompletableFuture.runAsync(() -> work.run(slot())));
    }
    work.run(slot());
    others.forEach(CompletableFuture::join);
    return work.await();
  }

  private static CrewMember.Slot slot() {
    RoundAccumulators totals =
        new RoundAccumulators(new LongAccumulator(), new LongAccumulator(), new LongAccumulator());
    return new CrewMember.Slot(TaskContext$.MODULE$.empty(), totals);
  }
}
