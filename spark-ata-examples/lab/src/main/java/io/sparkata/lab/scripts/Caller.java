package io.sparkata.lab.scripts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The user who runs the script.
 *
 * @param id effective user id
 */
record Caller(int id) {
  /** The user of this process. */
  static Caller current() throws IOException {
    return new Caller(owner(Path.of("/proc/self")));
  }

  /** Whether a file or process folder exists and belongs to this user. */
  boolean owns(Path file) {
    try {
      return owner(file) == id;
    } catch (IOException missing) {
      return false;
    }
  }

  private static int owner(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:uid");
  }
}
