package io.sparkata.tools.paper;

/** The reproduction cannot go on; the message says why and what to set. */
final class PaperFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PaperFailure(String message) {
    super(message);
  }
}
