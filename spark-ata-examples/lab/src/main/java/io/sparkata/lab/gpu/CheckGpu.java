package io.sparkata.lab.gpu;

import io.sparkata.lab.RunFailure;
import picocli.CommandLine.Command;

/** The Java program in a pack of {@code scripts/check-gpu}, started by the pack's {@code run}. */
@Command(
    name = "run",
    subcommands = {KernelsCommand.class, JobCommand.class},
    description = "Checks Spark ATA's GPU kernels on this machine.")
public final class CheckGpu {
  private CheckGpu() {}

  /**
   * Exits with 0 if all checks pass, 1 after one line that says what failed, 2 on a usage error.
   */
  public static void main(String[] arguments) {
    System.exit(RunFailure.execute(new CheckGpu(), arguments));
  }
}
