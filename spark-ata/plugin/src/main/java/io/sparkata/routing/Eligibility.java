package io.sparkata.routing;

/** Whether a training's rounds are allocated; {@link EligibilityRules} decides. */
public sealed interface Eligibility {

  /** No reason against allocation is known so far. */
  record Allocate() implements Eligibility {}

  /**
   * MLlib trains.
   *
   * @param text what was found, a clause
   */
  record Leave(Reason reason, String text) implements Eligibility {

    /** What the user can do to have rounds allocated, without a full stop. */
    public String advice() {
      return reason.isNoGain()
          ? reason.remedy() + ", or set spark.ata.passThrough=never"
          : reason.remedy();
    }
  }

  /** The training fails with this exception, which says what was found and what to set. */
  record Refuse(RuntimeException exception) implements Eligibility {}
}
