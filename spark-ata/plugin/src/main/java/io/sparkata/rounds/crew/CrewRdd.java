package io.sparkata.rounds.crew;

import io.sparkata.cluster.Executor;
import io.sparkata.rounds.IndexedPartition;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.spark.RootRdd;
import io.sparkata.spark.SparkExecutors;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;
import scala.collection.Iterator$;

/**
 * The tasks of a {@link Crew}: one per slot of each executor, aimed at it. A task that starts
 * elsewhere is a slot of that executor.
 */
final class CrewRdd extends RootRdd<Integer> {
  private static final long serialVersionUID = 1L;

  private final transient Partition[] slots; // each task travels with its own partition
  private final String crew;
  private final RoundAccumulators totals;

  CrewRdd(
      SparkContext context, String crew, List<Executor> executors, RoundAccumulators accumulators) {
    super(context, Integer.class);
    this.crew = crew;
    this.totals = accumulators;
    List<Partition> all = new ArrayList<>();
    for (Executor executor : executors) {
      for (int slot = 0; slot < executor.slots(); slot++) {
        String location = SparkExecutors.location(executor.host(), executor.id());
        all.add(new IndexedPartition<>(all.size(), location));
      }
    }
    slots = all.toArray(Partition[]::new);
    setName("Spark ATA crew");
  }

  @Override
  public Partition[] getPartitions() {
    return slots.clone();
  }

  @Override
  protected List<String> preferredLocationsOf(Partition partition) {
    return List.of((String) ((IndexedPartition<?>) partition).task());
  }

  @Override
  public Iterator<Integer> compute(Partition split, TaskContext task) {
    CrewMember.serve(crew, task, totals);
    return Iterator$.MODULE$.single(split.index());
  }
}
