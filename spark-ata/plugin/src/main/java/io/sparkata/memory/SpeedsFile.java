package io.sparkata.memory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;

/**
 * The file behind {@code spark.ata.speeds.path}: JSON on any Hadoop file system, described in
 * docs/monitoring.md. A rename replaces the whole file, so that a reader sees the old or the new
 * one. Entries of other applications on other hosts and kernels stay.
 *
 * @param path as a user writes it, with or without a scheme
 * @param hadoop called at each use
 */
public record SpeedsFile(String path, Supplier<Configuration> hadoop) {
  static final String KEY = "spark.ata.speeds.path";

  private static final String FORMAT = "spark-ata-speeds";
  private static final int VERSION = 1;
  private static final int MOST_BYTES = 16 << 20;
  private static final int MOST_SHOWN = 80;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** The most entries; beyond, the oldest are dropped. Host names of pods never return. */
  static final int MOST_ENTRIES = 10_000;

  /**
   * Nanoseconds per packed byte and slot, by host and kernel; empty if there is no file.
   *
   * @throws IOException if the file cannot be read or has another format; the message says what was
   *     found
   */
  Map<SpeedKey, Double> read() throws IOException {
    Map<SpeedKey, Double> speeds = new HashMap<>();
    for (Map.Entry<SpeedKey, JsonNode> entry : entries().entrySet()) {
      speeds.put(entry.getKey(), entry.getValue().get("nanosPerByte").asDouble());
    }
    return speeds;
  }

  /**
   * Replaces the entries of the same hosts and kernels by {@code speeds}.
   *
   * @throws IOException if the file cannot be written, or exists in another format
   */
  void merge(Map<SpeedKey, Double> speeds, Instant now) throws IOException {
    Map<SpeedKey, JsonNode> merged = new TreeMap<>(entries());
    speeds.forEach(
        (key, nanosPerByte) ->
            merged.put(
                key,
                JSON.createObjectNode()
                    .put("host", key.place())
                    .put("kernel", key.kernel())
                    .put("nanosPerByte", nanosPerByte)
                    .put("written", now.toString())));
    ObjectNode root = JSON.createObjectNode().put("format", FORMAT).put("version", VERSION);
    dropOldest(merged, Math.max(MOST_ENTRIES, speeds.size()));
    root.putArray("speeds").addAll(merged.values());
    Path target = new Path(path);
    Path partial =
        new Path(target.getParent(), "." + target.getName() + "." + UUID.randomUUID() + ".tmp");
    FileContext files = files(target);
    try {
      try (OutputStream out =
          files.create(partial, EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
        out.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
      }
      files.rename(partial, target, Options.Rename.OVERWRITE);
    } catch (IOException | RuntimeException error) {
      deleteQuietly(files, partial, error);
      throw error;
    }
  }

  private static void dropOldest(Map<SpeedKey, JsonNode> entries, int kept) {
    entries.keySet().stream()
        .sorted(Comparator.comparing((SpeedKey key) -> written(entries.get(key))).reversed())
        .skip(kept)
        .toList()
        .forEach(entries::remove);
  }

  private static Instant written(JsonNode entry) {
    try {
      return Instant.parse(entry.path("written").asText(""));
    } catch (DateTimeParseException unknown) {
      return Instant.MIN;
    }
  }

  private static void deleteQuietly(FileContext files, Path partial, Exception reason) {
    try {
      files.delete(partial, /* recursive= */ false);
    } catch (IOException | RuntimeException error) {
      reason.addSuppressed(error);
    }
  }

  private FileContext files(Path target) throws IOException {
    return FileContext.getFileContext(target.toUri(), hadoop.get());
  }

  private Map<SpeedKey, JsonNode> entries() throws IOException {
    Path target = new Path(path);
    byte[] bytes;
    try (InputStream in = files(target).open(target)) {
      bytes = in.readNBytes(MOST_BYTES + 1);
    } catch (FileNotFoundException none) {
      return Map.of();
    }
    if (bytes.length > MOST_BYTES) {
      throw new IOException("Invalid size: above " + MOST_BYTES + " bytes (at most that many)");
    }
    Map<SpeedKey, JsonNode> entries = new TreeMap<>();
    for (JsonNode entry : parsed(bytes).get("speeds")) {
      JsonNode number = entry.path("nanosPerByte");
      double nanosPerByte = number.isNumber() ? number.asDouble() : Double.NaN;
      String host = entry.path("host").asText("");
      String kernel = entry.path("kernel").asText("");
      if (host.isEmpty()
          || kernel.isEmpty()
          || !(nanosPerByte > 0 && nanosPerByte < Double.POSITIVE_INFINITY)) {
        throw new IOException(
            "Invalid entry: " + shown(entry) + " (host, kernel and a nanosPerByte greater than 0)");
      }
      entries.put(new SpeedKey(host, kernel), entry);
    }
    return entries;
  }

  private static JsonNode parsed(byte[] bytes) throws IOException {
    JsonNode root;
    try {
      root = JSON.readTree(bytes);
    } catch (JsonProcessingException notJson) {
      String message = notJson.getOriginalMessage().lines().findFirst().orElse("");
      throw new IOException("Invalid JSON: " + message, notJson);
    }
    JsonNode format = root.path("format");
    JsonNode version = root.path("version");
    if (!format.asText().equals(FORMAT)
        || !version.asText().equals(String.valueOf(VERSION))
        || !root.path("speeds").isArray()) {
      throw new IOException(
          "Invalid format: %s version %s (%s version %s, with an array of speeds)"
              .formatted(shown(format), shown(version), FORMAT, VERSION));
    }
    return root;
  }

  /** As JSON, which has no line breaks, and not for ever: it goes into a line of the log. */
  private static String shown(JsonNode found) {
    String text = found.isMissingNode() ? "none" : found.toString();
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
  }
}
