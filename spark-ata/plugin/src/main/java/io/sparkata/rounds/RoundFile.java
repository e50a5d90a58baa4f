package io.sparkata.rounds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.gate.Trouble;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of a {@link RoundLog}, on any file system of Hadoop. If it cannot be written, it ends
 * with one WARN.
 */
final class RoundFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RoundFile.class);

  private Optional<Writer> out = Optional.empty();

  private RoundFile() {}

  /** Takes no lines. */
  static RoundFile none() {
    return new RoundFile();
  }

  /** Creates the file, and its folder if needed. */
  static RoundFile in(String folder, String name, Configuration hadoop) {
    RoundFile file = new RoundFile();
    try {
      Path path = new Path(folder, name);
      FileSystem system = path.getFileSystem(hadoop);
      if (system instanceof LocalFileSystem local) {
        system = local.getRawFileSystem(); // without checksum files, readable while it grows
      }
      file.out =
          Optional.of(
              new OutputStreamWriter(
                  system.create(path, /* overwrite= */ true), StandardCharsets.UTF_8));
    } catch (Throwable error) {
      file.giveUp(error);
    }
    return file;
  }

  /** Whether it takes lines. */
  boolean isOpen() {
    return out.isPresent();
  }

  void write(ObjectNode line) {
    if (out.isEmpty()) {
      return;
    }
    try {
      out.get().write(line + "\n");
      out.get().flush();
    } catch (Throwable error) {
      giveUp(error);
    }
  }

  private void giveUp(Throwable error) {
    Trouble.rethrowFatal(error);
    LOG.warn(
        "Spark ATA: cannot write the round log ({}); the training goes on without it. Set"
            + " spark.ata.roundLog.path to a folder that can be written",
        error.toString());
    Optional<Writer> given = out;
    out = Optional.empty();
    IOUtils.closeStream(given.orElse(null));
  }

  @Override
  public void close() {
    try {
      if (out.isPresent()) {
        out.get().close();
      }
      out = Optional.empty();
    } catch (Throwable error) {
      giveUp(error);
    }
  }
}
