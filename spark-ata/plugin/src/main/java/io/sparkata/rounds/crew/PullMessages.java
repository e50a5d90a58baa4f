package io.sparkata.rounds.crew;

import io.sparkata.spark.ExecutorInternals;

/** What a {@link Crew} and its members say about micro-tasks, as arrays of JDK objects. */
final class PullMessages {
  private static final String MARK = "micro-task";

  private PullMessages() {}

  private static boolean isMarked(Object[] message) {
    return message != null && message.length > 0 && MARK.equals(message[0]);
  }

  /**
   * The next micro-task of a member.
   *
   * @param round its number, the same for all members
   * @param number of the micro-task within the executor's round, from 0
   * @param share a {@link MicroShare} as bytes; null if it is that of the micro-task before
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Next(long round, int number, byte[] share) {
    Object[] toArray() {
      return new Object[] {MARK, round, number, share};
    }

    static boolean isIn(Object[] answer) {
      return isMarked(answer);
    }

    static Next of(Object[] answer) {
      return new Next((Long) answer[1], (Integer) answer[2], (byte[]) answer[3]);
    }
  }

  /**
   * A micro-task done.
   *
   * @param number of the micro-task within the executor's round
   * @param rows that it summed; 0 if not all of them could be read
   * @param nanos wall time of its slots, summed
   * @param longestNanos of one slot
   * @param sum as bytes; null if there is none
   * @param failure what failed, or null
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Pulled(
      String executorId,
      long round,
      int number,
      long rows,
      long nanos,
      long longestNanos,
      byte[] sum,
      String failure) {
    /**
     * The message that brings it.
     *
     * @param question of the member, for its next work
     */
    Object[] with(Object[] question) {
      return new Object[] {
        MARK, question, executorId, round, number, rows, nanos, longestNanos, sum, failure
      };
    }

    static Pulled failed(Next work, Throwable error, long nanos) {
      return new Pulled(
          ExecutorInternals.executorId(),
          work.round(),
          work.number(),
          0,
          nanos,
          nanos,
          null,
          error.toString());
    }

    static boolean isIn(Object[] message) {
      return isMarked(message);
    }

    static Object[] questionIn(Object[] message) {
      return (Object[]) message[1];
    }

    static Pulled of(Object[] message) {
      return new Pulled(
          (String) message[2],
          (Long) message[3],
          (Integer) message[4],
          (Long) message[5],
          (Long) message[6],
          (Long) message[7],
          (byte[]) message[8],
          (String) message[9]);
    }
  }
}
