package io.sparkata.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads round logs. */
public final class RoundLogs {
  private RoundLogs() {}

  /** The rounds of the newest training that has a log in the folder. */
  public static List<JsonNode> newest(Path folder) throws IOException {
    Path newest;
    try (var files = Files.list(folder)) {
      newest =
          files
              .filter(file -> file.toString().endsWith(".jsonl"))
              .max(Comparator.comparingInt(RoundLogs::callOf))
              .orElseThrow();
    }
    List<JsonNode> rounds = new ArrayList<>();
    for (String line : Files.readAllLines(newest)) {
      rounds.add(new ObjectMapper().readTree(line));
    }
    return rounds;
  }

  private static int callOf(Path log) {
    return Integer.parseInt(log.toString().replaceAll(".*-call-(\\d+)\\.jsonl", "$1"));
  }
}
