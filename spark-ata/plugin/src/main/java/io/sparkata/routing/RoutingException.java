package io.sparkata.routing;

/** A method of Spark cannot be woven in this JVM; the message says why. */
public final class RoutingException extends Exception {
  private static final long serialVersionUID = 1L;

  RoutingException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
