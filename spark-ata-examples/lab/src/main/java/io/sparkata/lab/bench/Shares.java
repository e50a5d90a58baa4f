package io.sparkata.lab.bench;

import io.sparkata.lab.Program;
import io.sparkata.lab.RunFailure;
import java.util.List;

/**
 * The executors' shares of the CPUs. Lifted while executors start and code warms up: on a tenth of
 * a core that takes many minutes, and what is compiled meanwhile takes its time from the kernels.
 */
final class Shares {
  private Shares() {}

  /** Changes them by a shell command; not for null. */
  static void change(String command) {
    if (command != null && new Program(List.of("bash", "-c", command)).run() != 0) {
      throw new RunFailure("Cannot change the workers' shares, see above: " + command);
    }
  }
}
