package io.sparkata.rounds.job;

import io.sparkata.blocks.RowSelection;
import io.sparkata.rounds.IndexedPartition;
import io.sparkata.rounds.Round;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.Summand;
import io.sparkata.rounds.TaskWork;
import io.sparkata.spark.RootRdd;
import io.sparkata.spark.SparkExecutors;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;
import scala.collection.Iterator$;

/**
 * The tasks of one round. The RDD has no parents: a partition names rows of packed blocks. A task
 * that lacks a block reports it as missing; Spark never recomputes rows, which might be others.
 */
final class RoundRdd<S> extends RootRdd<RoundResult<S>> {
  private static final long serialVersionUID = 1L;

  private final transient Partition[] partitions; // each task travels with its own partition
  private final Summand<S> summand;
  private final RowSelection rows;
  private final RoundAccumulators totals;

  @SuppressWarnings({"unchecked", "rawtypes"}) // there is one class for all sums
  RoundRdd(SparkContext context, Round<S> round, RoundAccumulators accumulators) {
    super(context, (Class) RoundResult.class);
    List<RoundTask> tasks = round.plan().tasks();
    partitions = new Partition[tasks.size()];
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] = new IndexedPartition<>(i, tasks.get(i));
    }
    summand = round.summand();
    rows = round.rows();
    totals = accumulators;
    setName("Spark ATA round");
  }

  @Override
  public Partition[] getPartitions() {
    return partitions.clone();
  }

  @Override
  protected List<String> preferredLocationsOf(Partition partition) {
    RoundTask task = (RoundTask) ((IndexedPartition<?>) partition).task();
    return List.of(SparkExecutors.location(task.host(), task.executorId()));
  }

  @Override
  public Iterator<RoundResult<S>> compute(Partition split, TaskContext context) {
    RoundTask task = (RoundTask) ((IndexedPartition<?>) split).task();
    RoundResult<S> result = new TaskWork<>(task, summand, context).run(id(), rows);
    totals.add(result.reports().get(0));
    return Iterator$.MODULE$.single(result);
  }
}
