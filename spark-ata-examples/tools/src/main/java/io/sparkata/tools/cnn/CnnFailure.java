package io.sparkata.tools.cnn;

/** The images cannot be read or trained on; the message says why and what to set. */
public final class CnnFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CnnFailure(String message) {
    super(message);
  }
}
