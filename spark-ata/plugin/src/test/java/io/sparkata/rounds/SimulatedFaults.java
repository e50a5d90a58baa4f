package io.sparkata.rounds;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The faults of one simulated training, drawn from a seed, and when they strike. */
public final class SimulatedFaults {
  private final Random random;
  private final EnumSet<Fault> kinds;
  private final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
  private final List<String> story = new ArrayList<>();
  private final double perStep;
  private int left;
  private boolean haveBegun;

  /** What can go wrong. */
  public enum Fault {
    /** An executor dies; Spark's master knows at once. */
    DIE,
    /** An executor dies; Spark finds out when something fails there. */
    DIE_UNNOTICED,
    /** An executor hangs, and goes on later with all that it held. */
    HANG,
    /** An executor joins. */
    JOIN,
    /** A copy is evicted. */
    EVICT,
    /** A copy is evicted, and Spark's master does not know. */
    EVICT_UNTOLD,
    /** Many copies are evicted. */
    EVICT_MANY,
    /** Spark's master names a holder that holds nothing. */
    STALE_HOLDER,
    /** An old copy of a block comes back, from another packing. */
    OLD_COPY,
    /** A task's attempt is lost after its work, and runs again. */
    LOST_ATTEMPT,
    /** A task's result arrives twice. */
    DOUBLE_RESULT,
    /** A task's result does not arrive. */
    LOST_RESULT,
    /** A task runs on another executor than planned. */
    ELSEWHERE,
    /** Fetched blocks find no room. */
    NO_ROOM,
    /** Packing finds no room. */
    NO_ROOM_TO_PACK,
    /** Other jobs take all slots of an executor. */
    SLOT_TAKEN,
    /** A job of the user's wants slots, for some time. */
    OTHER_JOB,
    /** The crew of another training does. */
    OTHER_CREW,
    /** A message to the driver comes late. */
    LATE_MESSAGE,
    /** A message to the driver comes twice. */
    DOUBLE_MESSAGE,
    /** A message to the driver is lost, and so is the member's slot. */
    LOST_MESSAGE,
    /** The task of a member starts again. */
    MEMBER_RESTARTS,
    /** A member fails at its work. */
    MEMBER_FAILS,
    /** The crew's job fails. */
    JOB_FAILS,
    /** The driver is paused for some seconds. */
    DRIVER_PAUSES,
    /** The user's gradient throws. */
    THROW,
    /** The user cancels. */
    CANCEL,
    /** Spark's listener bus loses events. */
    LOST_EVENTS,
    /** Events come late, and not in order. */
    LATE_EVENTS,
    /** Events come twice. */
    DOUBLE_EVENTS,
    /** The user interrupts the training's thread. */
    INTERRUPT
  }

  /**
   * @param kinds that may strike; a training has some of them
   * @param most faults in all
   */
  SimulatedFaults(Random random, EnumSet<Fault> kinds, int most) {
    this.random = random;
    this.kinds = kinds;
    this.left = most;
    this.perStep = Math.pow(10, -0.5 - 2 * random.nextDouble());
  }

  /** From now on they strike. */
  void begin() {
    haveBegun = true;
  }

  /** The next fault, if one strikes now. */
  Fault next() {
    if (!haveBegun || left == 0 || kinds.isEmpty() || random.nextDouble() >= perStep) {
      return null;
    }
    return List.copyOf(kinds).get(random.nextInt(kinds.size()));
  }

  /** Whether this fault strikes here, where it can. */
  public boolean strikes(Fault fault, double chance) {
    boolean strikes =
        haveBegun && left > 0 && kinds.contains(fault) && random.nextDouble() < chance;
    if (strikes) {
      struck(fault, "");
    }
    return strikes;
  }

  /** A fault has struck. */
  void struck(Fault fault, String where) {
    left--;
    struck.merge(fault, 1, Integer::sum);
    tell(fault + " " + where);
  }

  /** Adds a line to the training's story. */
  public void tell(String line) {
    story.add(line);
  }

  /** How many have struck. */
  int count() {
    return struck.values().stream().mapToInt(times -> times).sum();
  }

  /** How often each struck. */
  public Map<Fault, Integer> struck() {
    return struck;
  }

  /** All that happened, in order. */
  public List<String> story() {
    return story;
  }
}
