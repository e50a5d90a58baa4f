package io.sparkata.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders with all that is in them. */
public final class Folders {
  private Folders() {}

  /** Deletes a folder, if it is there. */
  public static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /**
   * Makes a folder.
   *
   * @param remedy what to set if it cannot be made
   */
  public static void create(Path folder, String remedy) {
    try {
      Files.createDirectories(folder);
    } catch (IOException error) {
      throw new RunFailure("Cannot create " + folder + ": " + error + ". Set " + remedy);
    }
  }

  /** Makes a folder, empty. */
  public static void empty(Path folder) throws IOException {
    delete(folder);
    Files.createDirectories(folder);
  }
}
