package io.sparkata.rounds.crew;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

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

  /** Members give no sign of life. */
  static final class SilentMember extends CrewTrouble {
    private static final long serialVersionUID = 1L;
    private final ArrayList<String> executorIds;
    private final double seconds;

    /**
     * @param executorIds the silent members
     * @param seconds for how long
     */
    SilentMember(Collection<String> executorIds, double seconds) {
      super("silent executors: " + String.join(", ", executorIds));
      this.executorIds = new ArrayList<>(executorIds);
      this.seconds = seconds;
    }

    List<String> executorIds() {
      return executorIds;
    }

    double seconds() {
      return seconds;
    }
  }
}
