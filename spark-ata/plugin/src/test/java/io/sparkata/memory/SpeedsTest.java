package io.sparkata.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.SilentFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is remembered, and the file in which it outlives the application. */
class SpeedsTest {
  private static final String KERNEL = "logistic dense";

  @TempDir private Path folder;

  private final TestClock clock = new TestClock();

  @Test
  void nanosPerByte_executorAndHostKnown_isTheExecutors() {
    Speeds speeds = new Speeds(Optional.empty(), /* failsOnError= */ true, clock);
    speeds.remember("1", "fast", KERNEL, 0.5);
    speeds.remember("2", "fast", KERNEL, 0.75);

    assertThat(speeds.nanosPerByte("1", "fast", KERNEL)).hasValue(0.5);
    assertThat(speeds.nanosPerByte("2", "fast", KERNEL)).hasValue(0.75);
    assertThat(speeds.nanosPerByte("3", "fast", KERNEL)).hasValue((0.5 + 0.75) / 2);
    assertThat(speeds.nanosPerByte("3", "other", KERNEL)).isEmpty();
    assertThat(speeds.nanosPerByte("1", "fast", "hinge dense")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "NaN", "Infinity"})
  void remember_noSpeed_isIgnored(double nanosPerByte) {
    Speeds speeds = new Speeds(Optional.empty(), /* failsOnError= */ true, clock);
    speeds.remember("1", "host", KERNEL, nanosPerByte);
    assertThat(speeds.nanosPerByte("1", "host", KERNEL)).isEmpty();
  }

  @Test
  void write_thenReadByAnother_isByHost() {
    Speeds first = speeds("sub/speeds.json");
    assertThat(first.nanosPerByte("1", "a", KERNEL)).isEqualTo(OptionalDouble.empty());
    first.remember("1", "a", KERNEL, 0.5);
    first.write();

    Speeds second = speeds("sub/speeds.json");
    assertThat(second.nanosPerByte("77", "a", KERNEL)).hasValue(0.5);
    assertThat(second.nanosPerByte("1", "b", KERNEL)).isEmpty();
  }

  @Test
  void write_othersWroteMeanwhile_keepsTheirs() {
    Speeds one = speeds("speeds.json");
    Speeds other = speeds("speeds.json");
    one.remember("1", "a", KERNEL, 1);
    other.remember("1", "b", KERNEL, 2);
    one.write();
    other.write();

    Speeds third = speeds("speeds.json");
    assertThat(third.nanosPerByte("9", "a", KERNEL)).hasValue(1);
    assertThat(third.nanosPerByte("9", "b", KERNEL)).hasValue(2);
  }

  @Test
  void write_always_leavesOneFileInTheDocumentedFormat() throws IOException {
    Speeds speeds = speeds("speeds.json");
    speeds.remember("1", "a", KERNEL, 0.25);
    speeds.write();

    assertThat(Files.readString(folder.resolve("speeds.json")).replaceAll("\\s+", ""))
        .isEqualTo(
            "{\"format\":\"spark-ata-speeds\",\"version\":1,\"speeds\":[{\"host\":\"a\","
                + "\"kernel\":\"logisticdense\",\"nanosPerByte\":0.25,"
                + "\"written\":\"2026-01-01T00:00:00Z\"}]}");
    assertNoOtherFiles();
  }

  @Test
  void writeIfDue_withinAMinute_waits() {
    Speeds speeds = speeds("speeds.json");
    speeds.remember("1", "a", KERNEL, 1);
    speeds.writeIfDue();
    speeds.remember("1", "a", KERNEL, 2);
    clock.now = clock.now.plus(Duration.ofSeconds(59));
    speeds.writeIfDue();
    assertThat(speeds("speeds.json").nanosPerByte("9", "a", KERNEL)).hasValue(1);

    clock.now = clock.now.plus(Duration.ofSeconds(1));
    speeds.writeIfDue();
    assertThat(speeds("speeds.json").nanosPerByte("9", "a", KERNEL)).hasValue(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "hello|Invalid JSON: Unrecognized token 'hello': was expecting (JSON String, Number, Array,"
            + " Object or token 'null', 'true' or 'false')",
        "{}|Invalid format: none version none (spark-ata-speeds version 1, with an array of speeds)",
        "[1]|Invalid format: none version none (spark-ata-speeds version 1, with an array of speeds)",
        "``|Invalid format: none version none (spark-ata-speeds version 1, with an array of speeds)",
        "{\"format\":\"spark-ata-speeds\",\"version\":2,\"speeds\":[]}|Invalid format:"
            + " \"spark-ata-speeds\" version 2 (spark-ata-speeds version 1, with an array of speeds)",
        "{\"format\":\"spark-ata-speeds\",\"version\":1.9,\"speeds\":[]}|Invalid format:"
            + " \"spark-ata-speeds\" version 1.9 (spark-ata-speeds version 1, with an array of speeds)",
        "{\"format\":\"other\",\"version\":1,\"speeds\":[]}|Invalid format: \"other\" version 1"
            + " (spark-ata-speeds version 1, with an array of speeds)",
        "{\"format\":\"a\\n26/11/29 WARN forged\"}|Invalid format: \"a\\n26/11/29 WARN forged\""
            + " version none (spark-ata-speeds version 1, with an array of speeds)",
        "{\"format\":\"spark-ata-speeds\",\"version\":1,\"speeds\":[]} x|Invalid JSON: Unrecognized"
            + " token 'x': was expecting (JSON String, Number, Array, Object or token 'null',"
            + " 'true' or 'false')",
        "{\"format\":\"spark-ata-speeds\",\"version\":1,\"speeds\":[{\"host\":\"a\"}]}|Invalid"
            + " entry: {\"host\":\"a\"} (host, kernel and a nanosPerByte greater than 0)",
        "{\"format\":\"spark-ata-speeds\",\"version\":1,\"speeds\":[{\"host\":\"a\",\"kernel\":\"k\","
            + "\"nanosPerByte\":-1}]}|Invalid entry:"
            + " {\"host\":\"a\",\"kernel\":\"k\",\"nanosPerByte\":-1} (host, kernel and a"
            + " nanosPerByte greater than 0)",
        "{\"format\":\"spark-ata-speeds\",\"version\":1,\"speeds\":[{\"host\":\"a\",\"kernel\":\"k\","
            + "\"nanosPerByte\":\"NaN\"}]}|Invalid entry:"
            + " {\"host\":\"a\",\"kernel\":\"k\",\"nanosPerByte\":\"NaN\"} (host, kernel and a"
            + " nanosPerByte greater than 0)",
      })
  void read_brokenOrForeign_isReportedOnceIgnoredAndLeftAlone(String content, String reason)
      throws IOException {
    Path file = Files.writeString(folder.resolve("speeds.json"), content);
    String message =
        "Spark ATA: cannot read speeds from "
            + file
            + " ("
            + reason
            + "); executors start unknown and the file stays as it is. Remove it, or set"
            + " spark.ata.speeds.path to another file";
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      Speeds speeds = speeds("speeds.json");
      assertThat(speeds.nanosPerByte("1", "a", KERNEL)).isEmpty();
      assertThat(speeds.nanosPerByte("2", "a", KERNEL)).isEmpty();
      speeds.remember("1", "a", KERNEL, 1);
      speeds.write();

      assertThat(log.messages(Level.WARN)).containsExactly(message);
    }
    assertThat(file).hasContent(content);

    Speeds strict = new Speeds(Optional.of(file(file.toString())), /* failsOnError= */ true, clock);
    assertThatThrownBy(() -> strict.nanosPerByte("1", "a", KERNEL)).hasMessage(message);
  }

  @Test
  void read_longEntry_isReportedInPart() throws IOException {
    Path file = folder.resolve("speeds.json");
    String host = "h".repeat(100);
    Files.writeString(
        file,
        "{\"format\":\"spark-ata-speeds\",\"version\":1,\"speeds\":[{\"host\":\"" + host + "\"}]}");

    assertThatThrownBy(() -> file(file.toString()).read())
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Invalid entry: {\"host\":\"%s... (host, kernel and a nanosPerByte greater than 0)",
            host.substring(0, 71));
  }

  @Test
  void read_unknownScheme_isReported() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      Speeds speeds = new Speeds(Optional.of(file("nosuch://x/y")), false, clock);
      assertThat(speeds.nanosPerByte("1", "a", KERNEL)).isEmpty();

      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .startsWith("Spark ATA: cannot read speeds from nosuch://x/y (");
    }
  }

  @Test
  void write_cannot_isReportedOnceAndLeavesTheOldFile() throws IOException {
    Path occupied = Files.createDirectories(folder.resolve("speeds.json"));
    Files.writeString(occupied.resolve("kept"), "kept");
    SpeedsFile file = file(occupied.toString());
    assertThatThrownBy(() -> file.merge(Map.of(new SpeedKey("a", KERNEL), 1.0), clock.instant()))
        .isInstanceOf(IOException.class);
    assertThat(occupied.resolve("kept")).hasContent("kept");

    Path plain = Files.writeString(folder.resolve("plain"), "");
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      Speeds speeds = speeds("plain/speeds.json");
      speeds.remember("1", "a", KERNEL, 1);
      speeds.write();
      speeds.write();

      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .startsWith("Spark ATA: cannot write speeds to " + plain + "/speeds.json (")
          .endsWith(
              "); later applications will learn them anew. Set spark.ata.speeds.path to a file that"
                  + " can be written");
    }
  }

  @Test
  @Tag("nightly") // waits ten seconds
  void write_fileSystemDoesNotAnswer_endsAndLocksNothing() throws Exception {
    Speeds speeds = speeds("speeds.json");
    assertThat(speeds.nanosPerByte("1", "a", KERNEL)).isEmpty(); // has read that there is none
    speeds.remember("1", "a", KERNEL, 1);
    try (SilentFile silent = SilentFile.at(folder.resolve("speeds.json"));
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      assertTimeoutPreemptively(
          Duration.ofMinutes(1),
          () -> {
            speeds.writeIfDue();
            speeds.remember("1", "a", KERNEL, 2);
            assertThat(speeds.nanosPerByte("1", "a", KERNEL)).hasValue(2);
            speeds.write(); // does nothing while the other waits
          });
      assertThat(silent.path()).as("nothing has replaced it").exists();

      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .contains("(no answer for 10 s); later applications will learn them anew");
    }
  }

  @Test
  @Tag("nightly") // waits ten seconds
  void read_silentFile_startsUnknownAndKeepsTheFile() throws Exception {
    try (SilentFile silent = SilentFile.at(folder.resolve("speeds.json"));
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      Speeds speeds = speeds("speeds.json");
      assertTimeoutPreemptively(
          Duration.ofMinutes(1),
          () -> {
            assertThat(speeds.nanosPerByte("1", "a", KERNEL)).isEmpty();
            speeds.remember("1", "a", KERNEL, 2);
            speeds.write();
          });
      assertThat(silent.path()).exists();

      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .contains("cannot read speeds from")
          .contains("(no answer for 10 s); executors start unknown and the file stays as it is");
    }
  }

  @Test
  void write_renameFails_leavesTheOldFileAndNothingBeside() throws IOException {
    Speeds first = speeds("speeds.json");
    first.remember("1", "a", KERNEL, 1);
    first.write();
    String before = Files.readString(folder.resolve("speeds.json"));
    Configuration broken = new Configuration();
    broken.set("fs.AbstractFileSystem.file.impl", RenameFails.class.getName());
    SpeedsFile file = new SpeedsFile(folder.resolve("speeds.json").toString(), () -> broken);

    assertThatThrownBy(() -> file.merge(Map.of(new SpeedKey("a", KERNEL), 2.0), clock.instant()))
        .isInstanceOf(IOException.class)
        .hasMessage(RenameFails.MESSAGE);

    assertThat(folder.resolve("speeds.json")).hasContent(before);
    assertNoOtherFiles();
  }

  @Test
  void forgetAllBut_executorsGone_takesTheHostsMeanOfThoseThatLive() {
    Speeds speeds = speeds("speeds.json");
    speeds.remember("1", "a", KERNEL, 1);
    speeds.remember("2", "b", KERNEL, 5);
    speeds.forgetAllBut(Set.of("2"));
    assertThat(speeds.nanosPerByte("1", "elsewhere", KERNEL)).isEmpty();
    assertThat(speeds.nanosPerByte("2", "elsewhere", KERNEL)).hasValue(5);
    assertThat(speeds.nanosPerByte("3", "a", KERNEL)).hasValue(1); // the host is still known

    speeds.remember("3", "a", KERNEL, 3);
    assertThat(speeds.nanosPerByte("4", "a", KERNEL)).hasValue(3);
  }

  @Test
  void write_troubleIsOver_writesWhatWasHeldBack() throws IOException {
    Path inTheWay = Files.writeString(folder.resolve("plain"), "");
    Speeds speeds = speeds("plain/speeds.json");
    speeds.remember("1", "a", KERNEL, 1);
    speeds.write();
    Files.delete(inTheWay);
    speeds.write();

    assertThat(speeds("plain/speeds.json").nanosPerByte("9", "a", KERNEL)).hasValue(1);
  }

  @Test
  void write_tooManyEntries_dropsThoseWrittenLongestAgo() throws IOException {
    SpeedsFile file = file(folder.resolve("speeds.json").toString());
    Map<SpeedKey, Double> old = new HashMap<>();
    for (int i = 0; i < SpeedsFile.MOST_ENTRIES; i++) {
      old.put(new SpeedKey("old" + i, KERNEL), 1.0);
    }
    file.merge(old, clock.instant());
    SpeedKey recent = new SpeedKey("new", KERNEL);
    file.merge(Map.of(recent, 2.0), clock.instant().plusSeconds(1));

    assertThat(file.read()).hasSize(SpeedsFile.MOST_ENTRIES).containsEntry(recent, 2.0);
  }

  @Test
  void read_fileTooLargeToBeOurs_isReported() throws IOException {
    Path large = folder.resolve("large");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength((16 << 20) + 1);
    }

    assertThatThrownBy(() -> file(large.toString()).read())
        .isInstanceOf(IOException.class)
        .hasMessage("Invalid size: above 16777216 bytes (at most that many)");
  }

  /** The local file system, but for renaming. */
  public static final class RenameFails extends DelegateToFileSystem {
    static final String MESSAGE = "the disk breaks on purpose";

    public RenameFails(URI uri, Configuration conf) throws IOException, URISyntaxException {
      super(uri, new RawLocalFileSystem(), conf, "file", /* authorityRequired= */ false);
    }

    @Override
    public int getUriDefaultPort() {
      return -1;
    }

    @Override
    public void renameInternal(
        org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to, boolean overwrite)
        throws IOException {
      throw new IOException(MESSAGE);
    }
  }

  private Speeds speeds(String name) {
    return new Speeds(
        Optional.of(file(folder.resolve(name).toString())), /* failsOnError= */ false, clock);
  }

  private static SpeedsFile file(String path) {
    return new SpeedsFile(path, Configuration::new);
  }

  private static final class TestClock extends Clock {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  /** Nothing but the file and Hadoop's checksum of it. */
  private void assertNoOtherFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("speeds.json", ".speeds.json.crc");
    }
  }
}
