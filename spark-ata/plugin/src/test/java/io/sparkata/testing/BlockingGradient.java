package io.sparkata.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;

/** Logistic loss; in a process that the test has marked, it blocks until the process is killed. */
public final class BlockingGradient extends Gradient {
  private static final long serialVersionUID = 1L;

  private final String folder;
  private final Gradient logistic = new LogisticGradient();

  /**
   * @param folder where the test marks processes
   */
  public BlockingGradient(Path folder) {
    this.folder = folder.toString();
  }

  /** Marks a process. */
  public static void mark(Path folder, long pid) {
    mark(folder.resolve(Long.toString(pid)));
  }

  /** Whether a marked process blocks. */
  public static boolean blocks(Path folder, long pid) {
    return Files.exists(folder.resolve(pid + ".blocks"));
  }

  /** Leaves an empty file. */
  public static void mark(Path file) {
    try {
      Files.write(file, new byte[0]);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  @Override
  public double compute(Vector features, double label, Vector weights, Vector sum) {
    long pid = ProcessHandle.current().pid();
    if (Files.exists(Path.of(folder, Long.toString(pid)))) {
      mark(Path.of(folder, pid + ".blocks"));
      while (!Thread.currentThread().isInterrupted()) {
        LockSupport.park();
      }
    }
    return logistic.compute(features, label, weights, sum);
  }
}
