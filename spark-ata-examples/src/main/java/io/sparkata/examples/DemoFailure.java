package io.sparkata.examples;

import picocli.CommandLine;

/** The demo cannot go on; the message says why and what to set. */
final class DemoFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoFailure(String message) {
    super(message);
  }

  /** Runs a command; its exit status is 1 after such a failure, whose message goes to stderr. */
  static int execute(Object command, String... arguments) {
    return new CommandLine(command)
        .setExecutionExceptionHandler(
            (error, commandLine, parsed) -> {
              if (error instanceof DemoFailure) {
                System.err.println(error.getMessage());
                return 1;
              }
              throw error;
            })
        .execute(arguments);
  }
}
