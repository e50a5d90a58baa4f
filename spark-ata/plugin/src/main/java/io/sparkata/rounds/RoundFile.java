package io.sparkata.rounds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.gate.Trouble;
import io.sparkata.memory.FileWrites;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of a {@link RoundLog}, on any file system of Hadoop, written on a thread of its own. If
 * it cannot be written, it ends with one WARN.
 */
final class RoundFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RoundFile.class);

  private final FileWrites writes = new FileWrites("spark-ata-round-log");
  private volatile boolean isOpen;
  private Writer out; // the thread's

  private interface Step {
    void run() throws IOException;
  }

  private RoundFile(boolean isOpen) {
    this.isOpen = isOpen;
  }

  /** Takes no lines. */
  static RoundFile none() {
    return new RoundFile(/* isOpen= */ false);
  }

  /** Creates the file, and its folder if needed. */
  static RoundFile in(String folder, String name, Configuration hadoop) {
    RoundFile file = new RoundFile(/* isOpen= */ true);
    file.later(() -> file.out = create(folder, name, hadoop));
    return file;
  }

  private static Writer create(String folder, String name, Configuration hadoop)
      throws IOException {
    Path path = new Path(folder, name);
    FileSystem system = path.getFileSystem(hadoop);
    if (system instanceof LocalFileSystem local) {
      system = local.getRawFileSystem(); // without checksum files, readable while it grows
    }
    return new OutputStreamWriter(
        system.create(path, /* overwrite= */ true), StandardCharsets.UTF_8);
  }

  /** Whether it takes lines. */
  boolean isOpen() {
    return isOpen;
  }

  void write(ObjectNode line) {
    later(
        () -> {
          out.write(line + "\n");
          out.flush();
        });
  }

  private void later(Step step) {
    if (isOpen) {
      try {
        writes.add(() -> run(step));
      } catch (RuntimeException full) {
        giveUp("10,000 lines wait to be written");
      }
    }
  }

  /** On the thread. */
  private void run(Step step) {
    try {
      if (isOpen) {
        step.run();
      }
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      giveUp(error.toString());
    }
    if (!isOpen) {
      IOUtils.closeStream(out);
    }
  }

  private synchronized void giveUp(String reason) {
    if (isOpen) {
      LOG.warn(
          "Spark ATA: cannot write the round log ({}); the training goes on without it. Set"
              + " spark.ata.roundLog.path to a folder that can be written",
          reason);
      isOpen = false;
    }
  }

  @Override
  public void close() {
    later(
        () -> {
          out.close(); // a file system may keep the last lines until then
          isOpen = false;
        });
    if (isOpen && !writes.await()) {
      giveUp("the file system has not answered for " + FileWrites.PATIENCE_SECONDS + " s");
    }
  }
}
