package io.sparkata.rounds.crew;

/** Why a round cannot go on by message. */
class CrewTrouble extends Exception {
  private static final long serialVersionUID = 1L;

  CrewTrouble(String message) {
    super(message);
  }

  /** An executor that Spark no longer counts as live. */
  static final class LostMember extends CrewTrouble {
    private static final long serialVersionUID = 1L;

    LostMember() {
      super("an executor was lost");
    }
  }

  /** A member gives no sign of life. */
  static final class SilentMember extends CrewTrouble {
    private static final long serialVersionUID = 1L;
    private final String executorId;
    private final double seconds;

    /**
     * @param seconds for how long
     */
    SilentMember(String executorId, double seconds) {
      super("executor " + executorId + " is silent");
      this.executorId = executorId;
      this.seconds = seconds;
    }

    String executorId() {
      return executorId;
    }

    double seconds() {
      return seconds;
    }
  }
}
