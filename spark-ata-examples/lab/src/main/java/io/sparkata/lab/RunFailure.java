package io.sparkata.lab;

/** A program of this module cannot go on; the message says why and what to set. */
public final class RunFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RunFailure(String message) {
    super(message);
  }

  public RunFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
