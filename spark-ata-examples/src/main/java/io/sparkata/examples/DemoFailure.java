package io.sparkata.examples;

/** The demo cannot go on; the message says why and what to set. */
final class DemoFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoFailure(String message) {
    super(message);
  }
}
