package io.sparkata.gate;

/** Why this jar cannot work here, and what to do. */
final class Misfit {
  private final String cause;
  private final String remedy;

  /**
   * @param cause a clause: what was found and what is needed
   * @param remedy a sentence without its full stop
   */
  Misfit(String cause, String remedy) {
    this.cause = cause;
    this.remedy = remedy;
  }

  /** A clause. */
  String cause() {
    return cause;
  }

  /** A sentence without its full stop. */
  String remedy() {
    return remedy;
  }
}
