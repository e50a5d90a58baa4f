package io.sparkata.tools.gpu;

import io.sparkata.tools.RunFailure;
import picocli.CommandLine.Command;

/** The Java side of a pack that {@code scripts/check-gpu} makes: {@code run} starts it. */
@Command(
    name = "run",
    subcommands = {KernelsCommand.class, JobCommand.class},
    description = "Checks Spark ATA's GPU kernels on this machine.")
public final class CheckGpu {
  private CheckGpu() {}

  /** Exits with 0 if all is well, 1 after one line that says what is not, 2 on a usage error. */
  public static void main(String[] arguments) {
    System.exit(RunFailure.execute(new CheckGpu(), arguments));
  }
}
