package io.sparkata.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Commands of the machine, such as {@code tc}. */
final class Commands {
  private Commands() {}

  /** What the command prints, errors among it; fails unless it ends with status 0. */
  static String run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException("Cannot run " + List.of(command) + ": " + text);
      }
      return text;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** Whether the command exists and ends with status 0. */
  static boolean canRun(String... command) {
    try {
      run(command);
      return true;
    } catch (UncheckedIOException cannot) {
      return false;
    }
  }
}
