package io.sparkata.lab;

import picocli.CommandLine;

/** A program of this module cannot go on; the message says why and what to set. */
public final class RunFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RunFailure(String message) {
    super(message);
  }

  public RunFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** Runs a command; its exit status is 1 after such a failure, whose message goes to stderr. */
  public static int execute(Object command, String... arguments) {
    return new CommandLine(command)
        .setExecutionExceptionHandler(
            (error, commandLine, parsed) -> {
              if (error instanceof RunFailure) {
                System.err.println(error.getMessage());
                return 1;
              }
              throw error;
            })
        .execute(arguments);
  }
}
