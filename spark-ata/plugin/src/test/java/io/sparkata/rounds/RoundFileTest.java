package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.SilentFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundFileTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  private RoundFile open(String name) {
    return RoundFile.in(folder.toUri().toString(), name, new Configuration());
  }

  private static void writeTwo(RoundFile file) {
    file.write(JSON.createObjectNode().put("round", 1));
    file.write(JSON.createObjectNode().put("round", 2));
    file.close();
  }

  @Test
  void close_linesAreWritten_hasAllInOrder() throws IOException {
    writeTwo(open("log"));

    assertThat(folder.resolve("log")).hasContent("{\"round\":1}\n{\"round\":2}\n");
  }

  /** As where a job group is cancelled with interrupts. */
  @Test
  void close_threadIsInterrupted_hasAllWithoutAWarning() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      RoundFile file = open("log");
      Thread.currentThread().interrupt();
      writeTwo(file);

      assertThat(Thread.interrupted()).as("stays interrupted").isTrue();
      assertThat(folder.resolve("log")).hasContent("{\"round\":1}\n{\"round\":2}\n");
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }

  /** As HDFS may, whose last block is complete only then. */
  @Test
  void close_fails_endsWithOneWarning() {
    Configuration failing = new Configuration();
    failing.set("fs.file.impl", FailsToClose.class.getName());
    failing.setBoolean("fs.file.impl.disable.cache", true);
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      writeTwo(RoundFile.in(folder.toUri().toString(), "log", failing));

      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .contains("cannot write the round log (java.io.IOException: " + FailsToClose.MESSAGE);
    }
  }

  /** Local files whose last bytes are lost. */
  public static final class FailsToClose extends RawLocalFileSystem {
    static final String MESSAGE = "the last block is not complete";

    @Override
    public FSDataOutputStream create(org.apache.hadoop.fs.Path path, boolean overwrite)
        throws IOException {
      OutputStream fails =
          new ByteArrayOutputStream() {
            @Override
            public void close() throws IOException {
              throw new IOException(MESSAGE);
            }
          };
      return new FSDataOutputStream(fails, /* stats= */ null);
    }
  }

  @Test
  @Tag("nightly") // waits ten seconds
  void close_fileSystemDoesNotAnswer_endsWithOneWarning() throws Exception {
    try (SilentFile silent = SilentFile.at(folder.resolve("log"));
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      RoundFile file = open(silent.path().getFileName().toString());
      assertThat(file.isOpen()).isTrue();
      assertTimeoutPreemptively(Duration.ofMinutes(1), () -> writeTwo(file));

      assertThat(file.isOpen()).isFalse();
      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: cannot write the round log (the file system has not answered for 10 s); the"
                  + " training goes on without it. Set spark.ata.roundLog.path to a folder that can"
                  + " be written");
    }
  }

  @Test
  @Tag("nightly") // waits ten seconds
  void write_tenThousandLinesWait_endsWithOneWarning() throws Exception {
    try (SilentFile silent = SilentFile.at(folder.resolve("log"));
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      RoundFile file = open(silent.path().getFileName().toString());
      for (int line = 0; line < 20_000; line++) {
        file.write(JSON.createObjectNode().put("round", line));
      }

      assertThat(file.isOpen()).isFalse();
      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .contains("(10,000 lines wait to be written)");
    }
  }
}
