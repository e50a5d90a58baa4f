package io.sparkata.tools.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;

/**
 * The evaluations that Spark ATA answers in an application, by its round log.
 *
 * @param folder of the log
 * @param prefix of the names of the application's files
 * @param before evaluations so far
 */
record RoutedRounds(Path folder, String prefix, long before) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static RoutedRounds of(SparkContext context) throws IOException {
    Path folder = Path.of(context.getConf().get("spark.ata.roundLog.path"));
    String prefix = context.applicationId() + "-";
    return new RoutedRounds(folder, prefix, count(folder, prefix));
  }

  /** Those since this object was made. */
  long sinceThen() throws IOException {
    return count(folder, prefix) - before;
  }

  /** The rounds of the kind lbfgs that were not repeated. */
  static long count(Path folder, String prefix) throws IOException {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    List<Path> logs;
    try (Stream<Path> files = Files.list(folder)) {
      logs = files.filter(file -> file.getFileName().toString().startsWith(prefix)).toList();
    }
    long rounds = 0;
    for (Path log : logs) {
      for (String line : Files.readAllLines(log)) {
        JsonNode round = JSON.readTree(line);
        if (round.path("kind").asText().equals("lbfgs") && !round.path("repeated").asBoolean()) {
          rounds++;
        }
      }
    }
    return rounds;
  }
}
