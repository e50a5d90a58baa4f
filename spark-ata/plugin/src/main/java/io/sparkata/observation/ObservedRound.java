package io.sparkata.observation;

import java.util.List;

/**
 * One iteration or evaluation of MLlib.
 *
 * @param seconds from the start of its job to the end
 * @param tasks the finished tasks of its summing stage
 */
public record ObservedRound(double seconds, List<Task> tasks) {

  /** The same where rows are not counted. */
  public ObservedRound uncounted() {
    return new ObservedRound(
        seconds,
        tasks.stream()
            .map(one -> new Task(one.executor, one.host, 0, one.seconds, one.overheadSeconds))
            .toList());
  }

  /**
   * A finished task.
   *
   * @param rows that it went over; 0 where Spark does not count them
   * @param seconds that it ran
   * @param overheadSeconds from its launch on the driver to its end there, besides running
   */
  public record Task(
      String executor, String host, double rows, double seconds, double overheadSeconds) {}
}
