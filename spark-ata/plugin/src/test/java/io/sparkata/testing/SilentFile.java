package io.sparkata.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that who opens it waits for, as for a file system that does not answer. */
public record SilentFile(Path path) implements AutoCloseable {

  /** Makes one, by a named pipe without another end. */
  public static SilentFile at(Path path) throws IOException, InterruptedException {
    Process made = new ProcessBuilder("mkfifo", path.toString()).inheritIO().start();
    if (made.waitFor() != 0) {
      throw new IOException("mkfifo has failed for " + path);
    }
    return new SilentFile(path);
  }

  /** Lets those that wait go on, and removes it. */
  @Override
  public void close() throws IOException {
    Files.newByteChannel(path, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
    Files.delete(path);
  }
}
