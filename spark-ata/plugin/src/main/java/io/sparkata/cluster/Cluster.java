package io.sparkata.cluster;

import java.time.Duration;
import java.util.List;

/** The executors of one application. Driver only. */
public interface Cluster {

  /**
   * Live executors by id, as BlockManagerMaster counts them now, without those of resource profiles
   * that our tasks do not run under; in local mode the driver.
   */
  List<Executor> live();

  /** Live executors that are not about to leave, whether or not they get tasks now. */
  List<Executor> staying();

  /**
   * The executors that samples go to, with the slots that they have for them: those that Spark
   * gives tasks to now. A task aimed at one that is about to leave, is excluded for failures, or
   * has all slots taken by long tasks of other jobs, would wait as long as {@code
   * spark.locality.wait}. With {@code spark.ata.gpu=required} those with a usable GPU, for which
   * this waits as long as Spark does for executors.
   *
   * @param longestTask of the last round: another job's task is long that has run for some rounds
   *     by now, and for a second
   * @throws GpuRequiredException if there is none, with the causes
   */
  List<Executor> workers(Duration longestTask);
}
