package io.sparkata.lab.checks;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** What YARN's containers have written on this machine. */
final class ContainerLogs {
  private ContainerLogs() {}

  /**
   * Appends what drivers wrote to stderr in the first containers of their applications, where
   * cluster mode runs them.
   *
   * @param marker a file that is older than the applications meant
   * @param work the folder of all nodes
   */
  static void appendDriversSince(Path marker, Path work, Path log) throws IOException {
    FileTime since = Files.getLastModifiedTime(marker);
    Files.walkFileTree(
        work,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            boolean isDriver =
                file.endsWith("stderr")
                    && file.getParent().toString().endsWith("_000001")
                    && attributes.lastModifiedTime().compareTo(since) >= 0;
            if (isDriver) {
              Files.write(log, Files.readAllBytes(file), StandardOpenOption.APPEND);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE; // YARN cleans up meanwhile
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
