package io.sparkata.cluster;

import java.util.List;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * A round that was no Spark job, on Spark's listener bus. It is kept out of the event log, which
 * Spark would flush after each such event, a thousand times a second.
 *
 * @param feedback of the training whose round it was
 * @param round its number, one more than the one before in this JVM
 * @param tasks what each task took
 */
public record ResidentRound(long feedback, long round, List<Task> tasks)
    implements SparkListenerEvent {
  /** The local property of the jobs whose tasks run such rounds. */
  public static final String CREW = "spark.ata.crew";

  /** The overhead of a trial, which no round waited for. */
  public static final long OF_TRIAL = -1;

  @Override
  public boolean logEvent() {
    return false;
  }

  /**
   * A task of the round.
   *
   * @param slots of its executor
   * @param rows sampled rows that it worked on
   * @param kernelNanos wall nanoseconds of its kernel
   * @param fetchNanos wall nanoseconds of fetching blocks
   * @param overheadNanos what its executor took besides, from the driver's message to the answer;
   *     {@link #OF_TRIAL} where that says nothing
   * @param contended whether its executor served blocks to others meanwhile
   */
  public record Task(
      String executorId,
      int slots,
      long rows,
      long kernelNanos,
      long fetchNanos,
      long overheadNanos,
      boolean contended) {}
}
