package io.sparkata.rounds.crew;

import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundTask;

/** What a {@link Crew} and its members say to each other, as arrays of JDK objects. */
final class CrewMessages {
  private CrewMessages() {}

  /**
   * A member asks for work, or says that it still works.
   *
   * @param isSign whether it asks nothing and only shows that it runs
   * @param done its last work, or null
   */
  record Question(String executorId, boolean isSign, Done done) {
    static Object[] signOf(String executorId) {
      return new Question(executorId, /* isSign= */ true, null).toArray();
    }

    Object[] toArray() {
      return done == null
          ? new Object[] {executorId, isSign}
          : new Object[] {executorId, isSign, done.round, done.sum, done.failure};
    }

    static Question of(Object[] array) {
      Done done =
          array.length == 2
              ? null
              : new Done((Long) array[2], (byte[]) array[3], (String) array[4]);
      return new Question((String) array[0], (Boolean) array[1], done);
    }
  }

  /**
   * Work done.
   *
   * @param sum the member's {@link RoundResult} as bytes, or null if it failed
   * @param failure what failed, or null
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Done(long round, byte[] sum, String failure) {
    static Done of(long round, byte[] sum) {
      return new Done(round, sum, null);
    }

    static Done failed(long round, Throwable failure) {
      return new Done(round, null, failure.toString());
    }

    /** A member that had work has asked for more: its task has started again. */
    static Done forgotten(long round) {
      return new Done(round, null, "its task started again");
    }
  }

  /**
   * The driver's answer: work, patience, or that the crew is dismissed.
   *
   * @param round its number, the same for all members
   * @param shared a {@link RoundShared} as bytes; null without work
   * @param tasks {@link RoundTask}s as bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Answer(boolean isDismissal, long round, byte[] shared, byte[][] tasks) {
    static final Object[] DISMISSED = {false};
    static final Object[] NOTHING_YET = {true};

    static Object[] work(long round, byte[] shared, byte[][] tasks) {
      return new Object[] {true, round, shared, tasks};
    }

    boolean hasWork() {
      return shared != null;
    }

    /**
     * @param array null if the member itself has given up
     */
    static Answer of(Object[] array) {
      if (array == null || !(Boolean) array[0]) {
        return new Answer(true, 0, null, null);
      }
      return array.length == 1
          ? new Answer(false, 0, null, null)
          : new Answer(false, (Long) array[1], (byte[]) array[2], (byte[][]) array[3]);
    }
  }
}
