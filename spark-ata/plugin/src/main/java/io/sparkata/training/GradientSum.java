package io.sparkata.training;

import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.StoredBlock;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.TaskKernels;
import io.sparkata.rounds.Summand;
import org.apache.spark.TaskContext;
import org.apache.spark.mllib.optimization.Gradient;

/**
 * Sums gradient and loss of packed rows at one model. Serialised to executors.
 *
 * @param size number of weights
 */
record GradientSum(Gradient gradient, Weights weights, int size) implements Summand<BatchSum> {

  @Override
  public GradientSum lasting() {
    return new GradientSum(gradient, weights.lasting(), size);
  }

  @Override
  public BatchSum zero() {
    return new BatchSum();
  }

  @Override
  public BatchSum merge(BatchSum left, BatchSum right) {
    return left.merge(right);
  }

  @Override
  public Partial<BatchSum> begin(TaskContext task) {
    return new OfTask(TaskKernels.of(task, gradient), weights.value());
  }

  private static final class OfTask implements Partial<BatchSum> {
    private final GradientKernel kernel;
    private final double[] model;
    private final double[] gradient;
    private double loss;
    private long rowCount;

    OfTask(GradientKernel kernel, double[] model) {
      this.kernel = kernel;
      this.model = model;
      this.gradient = new double[model.length];
    }

    @Override
    public void add(StoredBlock block, int[] rows, int first, int count) {
      loss += kernel.add((PackedBlock) block, rows, first, count, model, gradient);
      rowCount += count;
    }

    @Override
    public BatchSum sum() {
      loss += kernel.finish(model, gradient);
      BatchSum sum = new BatchSum();
      sum.add(rowCount == 0 ? null : gradient, loss, rowCount);
      return sum;
    }
  }
}
