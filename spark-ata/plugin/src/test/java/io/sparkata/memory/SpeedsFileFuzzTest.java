package io.sparkata.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sparkata.testing.Mutations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The speeds file as hostile input. */
class SpeedsFileFuzzTest {
  @TempDir private Path folder;

  @Test
  void read_anything_givesSpeedsOrSaysWhatIsWrong() throws IOException {
    Path path = folder.resolve("speeds.json");
    Configuration hadoop = new Configuration();
    SpeedsFile file = new SpeedsFile(path.toString(), () -> hadoop);
    file.merge(
        Map.of(new SpeedKey("a", "logistic dense"), 1.5, new SpeedKey("b", "hinge sparse"), 2e-3),
        Instant.EPOCH);
    String whole = Files.readString(path);
    int read = 0;
    int tries = Mutations.tries(2000);
    for (int seed = 0; seed < tries; seed++) {
      Files.write(path, Mutations.of(whole, seed));
      try {
        assertThat(file.read().values())
            .as("seed %s", seed)
            .allMatch(speed -> speed > 0 && speed < Double.POSITIVE_INFINITY);
        read++;
      } catch (IOException said) {
        assertThat(said).as("seed %s", seed).hasMessageStartingWith("Invalid ");
      } catch (RuntimeException | Error other) {
        fail("seed " + seed, other);
      }
    }

    assertThat(read).as("read all the same").isBetween(tries / 200, tries / 2);
  }
}
