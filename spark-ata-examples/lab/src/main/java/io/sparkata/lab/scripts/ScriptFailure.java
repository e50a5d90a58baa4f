package io.sparkata.lab.scripts;

/** A script cannot go on; the message goes to stderr. */
final class ScriptFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isUsageError;

  /** A failure with exit status 1. */
  ScriptFailure(String message) {
    this(message, /* isUsageError= */ false);
  }

  private ScriptFailure(String message, boolean isUsageError) {
    super(message);
    this.isUsageError = isUsageError;
  }

  /** A bad command line: exit status 2, and the message is followed by a pointer to the help. */
  static ScriptFailure ofUsage(String message) {
    return new ScriptFailure(message, /* isUsageError= */ true);
  }

  boolean isUsageError() {
    return isUsageError;
  }
}
