package io.sparkata.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The executors of one application. Driver only. */
public interface Cluster {

  /**
   * Live executors in the order of their ids, as BlockManagerMaster counts them now, without those
   * of resource profiles under which our tasks do not run; in local mode the driver.
   */
  List<Executor> live();

  /** Their ids. */
  default Set<String> liveIds() {
    return live().stream().map(Executor::id).collect(Collectors.toSet());
  }

  /** Live executors that Spark is not removing, whether or not they get tasks now. */
  List<Executor> staying();

  /** The ids of executors that Spark has excluded for failures: it gives them no task. */
  default Set<String> excluded() {
    return Set.of();
  }

  /**
   * The executors that get samples, with their free slots: those to which Spark gives tasks now. It
   * leaves out executors that Spark is removing or has excluded for failures, and those whose slots
   * are all taken by long tasks of other jobs. A task for one of these would wait for {@code
   * spark.locality.wait}. With {@code spark.ata.gpu=required}, only executors with a usable GPU,
   * for which this waits as long as Spark waits for executors.
   *
   * @param longestTask of the last round: another job's task is long if it has run for several such
   *     rounds and for a second
   * @throws GpuRequiredException if there is none, with the causes
   */
  List<Executor> workers(Duration longestTask);
}
