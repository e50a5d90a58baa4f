package io.sparkata.whatif;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sparkata.testing.Mutations;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Event logs as hostile input. */
class WhatIfFuzzTest {
  private static final String READER = "org.apache.spark.scheduler.ReplayListenerBus";

  @TempDir private Path folder;

  @BeforeAll
  static void silence() {
    Configurator.setLevel(READER, Level.OFF);
  }

  @AfterAll
  static void unsilence() {
    Configurator.setLevel(READER, Level.WARN);
  }

  @Test
  void run_anyLog_saysSomethingOrWhyNot() throws IOException {
    MadeLog log = new MadeLog(2);
    for (int round = 0; round < 8; round++) {
      log.round(MadeLog.LBFGS, 5, MadeLog.OBJECTS, "", 100, 400);
    }
    Path path = log.write(folder.resolve("app-1"));
    String whole = Files.readString(path);
    int read = 0;
    int tries = Mutations.tries(300);
    for (int seed = 0; seed < tries; seed++) {
      Files.write(path, Mutations.of(whole, seed));
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      try {
        int code =
            new WhatIfRun(
                    new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
                    new PrintStream(err, true, UTF_8))
                .run(path.toString());
        assertThat(code).as("seed %s", seed).isBetween(0, 1);
        read += 1 - code;
        assertThat(code == 0 || err.toString(UTF_8).contains("Cannot read "))
            .as("seed %s: %s", seed, err)
            .isTrue();
      } catch (RuntimeException | Error other) {
        fail("seed " + seed, other);
      }
    }

    assertThat(read).as("read all the same").isBetween(1, tries - 1);
  }
}
