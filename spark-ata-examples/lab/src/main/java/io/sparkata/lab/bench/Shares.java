package io.sparkata.lab.bench;

import java.io.IOException;

/**
 * The executors' shares of the CPUs. Lifted while executors start and code warms up: on a tenth of
 * a core that takes many minutes, and what is compiled meanwhile takes its time from the kernels.
 */
final class Shares {
  private final String lift;
  private final String hold;

  /**
   * @param lift a shell command that lets all run as fast as the CPUs give; null where nothing
   *     holds them
   * @param hold one that holds them to their shares again
   */
  Shares(String lift, String hold) {
    this.lift = lift;
    this.hold = hold;
  }

  void lift() throws IOException, InterruptedException {
    run(lift);
  }

  void hold() throws IOException, InterruptedException {
    run(hold);
  }

  /** Nothing for null. */
  static void run(String command) throws IOException, InterruptedException {
    if (command == null) {
      return;
    }
    int status = new ProcessBuilder("bash", "-c", command).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IOException(
          "Cannot change the workers' shares: '" + command + "' ended with " + status);
    }
  }
}
