package io.sparkata.rounds;

import io.sparkata.blocks.BlockMover;
import io.sparkata.blocks.BlockStore;
import io.sparkata.blocks.BlockStore.Reading;
import io.sparkata.blocks.BlockStore.Source;
import io.sparkata.blocks.RowSampler;
import io.sparkata.blocks.RowSelection;
import io.sparkata.blocks.SharedSampler;
import io.sparkata.blocks.Span;
import io.sparkata.rounds.Summand.Partial;
import io.sparkata.spark.ExecutorInternals;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;

/** The work of one task on its executor. Used once, on the task's thread. */
public final class TaskWork<S> {
  private static final int FIRST_STEP_ROWS = 1; // a row of L-BFGS may be a block of rows
  private static final long STEP_NANOS = 20_000_000;

  private final RoundTask task;
  private final TaskContext context;
  private final Partial<S> partial;
  private final RoundResult<S> result;
  private final TaskReport report = new TaskReport(ExecutorInternals.executorId());
  private final boolean isWhereAimed;
  private int[] taken = new int[0];

  public TaskWork(RoundTask task, Summand<S> summand, TaskContext context) {
    this.task = task;
    this.context = context;
    this.partial = summand.begin(context);
    this.result = new RoundResult<>();
    this.isWhereAimed = task.executorId().equals(report.executorId);
  }

  /**
   * Drops what is stale, reads the spans and sums their rows.
   *
   * @param roundId the same for all tasks of the round, and no other round
   */
  public RoundResult<S> run(long roundId, RowSelection rows) {
    BlockMover mover = BlockMover.get();
    mover.taskStarts();
    try (SharedSampler shared = SharedSampler.of(roundId, rows)) {
      if (isWhereAimed) { // on another executor, its copies may be the only ones
        task.stale().forEach(block -> ExecutorInternals.drop(block.id()));
        mover.want(task.wanted());
      }
      task.spans().forEach(span -> read(span, shared.sampler()));
      long start = System.nanoTime();
      S sum = partial.sum(); // a GPU may compute here
      result.sum(task.isTrial() ? null : sum);
      report.kernelNanos += task.spans().isEmpty() ? 0 : System.nanoTime() - start;
    } finally {
      mover.taskEnds();
    }
    if (!task.isTrial()) {
      BlockMover.Moved moved = mover.takeMoved();
      report.movedBlocks = moved.blocks();
      report.movedBytes = moved.bytes();
      report.coldBytes = moved.coldBytes();
      report.movedNanos = moved.nanos();
      ExecutorMetrics.add(report);
    }
    result.report(report);
    return result;
  }

  private void checkCancelled() {
    if (context.isInterrupted()) {
      throw new TaskKilledException("the attempt was cancelled");
    }
  }

  private void read(Span span, RowSampler sampler) {
    checkCancelled();
    long start = System.nanoTime();
    Reading reading = BlockStore.read(span.ref(), isWhereAimed);
    if (reading == null) {
      result.miss(span.block());
      return;
    }
    if (reading.source() != Source.LOCAL) {
      report.fetchNanos += System.nanoTime() - start;
      report.fetchedBytes += reading.bytes();
      report.fetchedBlocks++;
      report.keptBlocks += reading.source() == Source.FETCHED_AND_KEPT ? 1 : 0;
    }
    if (task.isTrial() && reading.source() == Source.FETCHED_AND_KEPT) {
      BlockStore.dropIfEnded(span.ref());
    }
    try {
      if (task.isTrial()) {
        addInSteps(span, reading, sampler);
      } else {
        add(span, reading, sampler);
      }
    } finally {
      reading.release();
    }
  }

  /** So that the slot is free soon after a cancellation, on a slow executor too. */
  private void addInSteps(Span span, Reading reading, RowSampler sampler) {
    int rows = FIRST_STEP_ROWS;
    int from = span.from();
    while (from < span.to()) {
      checkCancelled();
      int to = (int) Math.min(span.to(), (long) from + rows);
      long before = report.kernelNanos;
      add(new Span(span.block(), span.ref(), from, to), reading, sampler);
      rows = report.kernelNanos - before < STEP_NANOS / 2 ? 2 * rows : rows;
      from = to;
    }
  }

  private void add(Span span, Reading reading, RowSampler sampler) {
    long start = System.nanoTime();
    int count = span.rows();
    int[] rows = null;
    if (!sampler.takesAll()) {
      if (taken.length < count) {
        taken = new int[count];
      }
      count = sampler.take(span.ref(), span.from(), span.to(), taken);
      rows = taken;
    }
    partial.add(reading.block(), rows, span.from(), count);
    report.kernelNanos += System.nanoTime() - start;
    report.sampledRows += count;
    report.rows += span.rows();
    result.cover(
        new CoveredRows(span.block(), reading.block().packingId(), span.from(), span.to()));
  }
}
