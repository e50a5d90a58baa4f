package io.sparkata.lab;

/** A bad argument: {@code Invalid name: value (rule)}. The command's exit status is then 2. */
public final class BadArgument extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public BadArgument(String name, Object value, String rule) {
    super("Invalid %s: %s (%s)".formatted(name, value, rule));
  }

  public BadArgument(String message, Throwable cause) {
    super(message, cause);
  }

  /** Throws unless an argument is valid. */
  public static void require(boolean isValid, String name, Object value, String rule) {
    if (!isValid) {
      throw new BadArgument(name, value, rule);
    }
  }
}
