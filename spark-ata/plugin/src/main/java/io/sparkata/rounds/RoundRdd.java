package io.sparkata.rounds;

import io.sparkata.blocks.BlockStore;
import io.sparkata.blocks.BlockStore.Reading;
import io.sparkata.blocks.BlockStore.Source;
import io.sparkata.blocks.RowSampler;
import io.sparkata.blocks.SharedSampler;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.AtaExecutorPlugin;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.spark.RootRdd;
import io.sparkata.spark.SparkInternals;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.util.LongAccumulator;
import scala.collection.Iterator;
import scala.collection.Iterator$;

/**
 * One round's tasks. Without parents: a partition names rows of packed blocks, so that a lost block
 * is answered by "missing" and never by a recomputation that could see other rows.
 */
final class RoundRdd extends RootRdd<RoundSum> {
  private static final long serialVersionUID = 1L;

  private final transient RoundPartition[] tasks; // each task travels with its own partition
  private final Gradient gradient;
  private final Weights weights;
  private final double fraction;
  private final long seed;
  private final LongAccumulator kernelNanos;
  private final LongAccumulator sampledRows;
  private final LongAccumulator fetchNanos;
  private final long repeatNanos;

  /**
   * @param tasks one per used slot
   * @param fraction and {@code seed}: as given to MLlib's {@code sample}
   * @param meter accumulators that the listener reads
   * @param repeatNanos 0, or how long to go over the rows again and again, for calibration
   */
  RoundRdd(
      SparkContext context,
      List<RoundPartition> tasks,
      Gradient gradient,
      Weights weights,
      double fraction,
      long seed,
      RoundAccumulators meter,
      long repeatNanos) {
    super(context, RoundSum.class);
    this.tasks = tasks.toArray(new RoundPartition[0]);
    this.gradient = gradient;
    this.weights = weights;
    this.fraction = fraction;
    this.seed = seed;
    this.kernelNanos = meter.kernelNanos();
    this.sampledRows = meter.sampledRows();
    this.fetchNanos = meter.fetchNanos();
    this.repeatNanos = repeatNanos;
    setName("Spark ATA round");
  }

  @Override
  public Partition[] getPartitions() {
    return tasks.clone();
  }

  @Override
  protected List<String> preferredLocationsOf(Partition partition) {
    return List.of(((RoundPartition) partition).location());
  }

  @Override
  public Iterator<RoundSum> compute(Partition split, TaskContext context) {
    RoundPartition task = (RoundPartition) split;
    try (SharedSampler shared = SharedSampler.of(id(), fraction, seed)) {
      Work work = new Work(task, context, shared.sampler());
      if (work.isWhereAimed) { // another executor's copies may be the only ones
        task.stale().forEach(block -> SparkInternals.drop(block.id()));
      }
      if (repeatNanos == 0) {
        task.spans().forEach(work::read);
      } else {
        work.repeat(task.spans());
      }
      return Iterator$.MODULE$.single(work.finish());
    }
  }

  /** The state of one task. */
  private final class Work {
    private final TaskContext context;
    private final RoundSum sum = new RoundSum();
    private final TaskReport report = new TaskReport(SparkInternals.executorId());
    private final GradientKernel kernel;
    private final RowSampler sampler;
    private final double[] model = weights.value();
    private final double[] gradientSum = new double[model.length];
    private final boolean isWhereAimed;
    private int[] taken = new int[0];
    private double loss;

    Work(RoundPartition task, TaskContext context, RowSampler sampler) {
      this.context = context;
      this.sampler = sampler;
      this.kernel = AtaExecutorPlugin.kernel(context, gradient);
      this.isWhereAimed = task.executorId().equals(report.executorId);
    }

    /** Calibration: over and over again, without a proof of coverage. */
    void repeat(List<Span> spans) {
      long start = System.nanoTime();
      for (int i = 0; System.nanoTime() - start < repeatNanos; i = (i + 1) % spans.size()) {
        read(spans.get(i));
      }
      sum.forgetCoverage();
    }

    void read(Span span) {
      if (context.isInterrupted()) {
        throw new TaskKilledException("the attempt was cancelled");
      }
      long start = System.nanoTime();
      Reading reading = BlockStore.read(span.ref(), isWhereAimed);
      if (reading == null) {
        sum.miss(span.block());
        return;
      }
      if (reading.source() != Source.LOCAL) {
        report.fetchNanos += System.nanoTime() - start;
        report.fetchedBytes += reading.bytes();
        report.fetchedBlocks++;
        report.keptBlocks += reading.source() == Source.FETCHED_AND_KEPT ? 1 : 0;
      }
      try {
        add(span, reading);
      } finally {
        reading.release();
      }
    }

    private void add(Span span, Reading reading) {
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
      loss += kernel.add(reading.block(), rows, span.from(), count, model, gradientSum);
      report.kernelNanos += System.nanoTime() - start;
      report.sampledRows += count;
      report.rows += span.rows();
      sum.cover(new CoveredRows(span.block(), reading.block().stamp(), span.from(), span.to()));
    }

    RoundSum finish() {
      sum.add(report.sampledRows == 0 ? null : gradientSum, loss, report.sampledRows);
      sum.report(report);
      kernelNanos.add(report.kernelNanos);
      sampledRows.add(report.sampledRows);
      fetchNanos.add(report.fetchNanos);
      return sum;
    }
  }
}
