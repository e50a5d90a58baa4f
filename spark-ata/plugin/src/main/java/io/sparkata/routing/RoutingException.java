package io.sparkata.routing;

/** MLlib's callers cannot be routed in this JVM; the message says why. */
public final class RoutingException extends Exception {
  private static final long serialVersionUID = 1L;

  RoutingException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
