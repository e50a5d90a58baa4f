package io.sparkata.lab.bench;

import java.io.IOException;

/**
 * The executors' shares of the CPUs. Lifted while executors start and code warms up: on a tenth of
 * a core that takes many minutes, and what is compiled meanwhile takes its time from the kernels.
 */
final class Shares {
  private Shares() {}

  /** Changes them by a shell command; not for null. */
  static void change(String command) throws IOException, InterruptedException {
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
