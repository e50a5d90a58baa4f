package io.sparkata.examples.cnn;

/** Training cannot go on; the message says why and what to set. */
final class CnnFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CnnFailure(String message) {
    super(message);
  }
}
