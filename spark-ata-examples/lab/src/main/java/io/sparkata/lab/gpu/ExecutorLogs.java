package io.sparkata.lab.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the executors of a job have logged about Spark ATA.
 *
 * @param executors what each computes with, in the order of ids
 * @param warnings the lines at WARN
 */
record ExecutorLogs(List<Statement> executors, List<String> warnings) {
  private static final Pattern STATEMENT =
      Pattern.compile("Spark ATA: executor (\\S+) on (\\S+) computes with (.*)\n");
  private static final Pattern WARNING = Pattern.compile("(.* (?:WARN|ERROR) .*Spark ATA: .*)\n");

  /** The line that an executor logs at its start. */
  record Statement(String id, String host, boolean gpu, String computesWith) {}

  /** Reads the logs of workers whose folders are in {@code folder}. */
  static ExecutorLogs read(Path folder) throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(file -> file.endsWith("stderr")).sorted().toList()) {
        text.append(Files.readString(file));
      }
    }
    return of(text.toString());
  }

  /** Reads whole lines; an executor may be writing the last one. */
  static ExecutorLogs of(String text) {
    return new ExecutorLogs(
        STATEMENT
            .matcher(text)
            .results()
            .map(
                found ->
                    new Statement(
                        found.group(1),
                        found.group(2),
                        found.group(3).split(";", 2)[0].contains(" at GPU address "),
                        found.group(3)))
            .sorted(Comparator.comparing(Statement::id))
            .toList(),
        WARNING.matcher(text).results().map(found -> found.group(1)).toList());
  }

  /** Says so in one line, with what the executors say whose GPU is no stand-in. */
  String noRoundOnGpu() {
    return executors.stream()
        .filter(executor -> !executor.computesWith().contains(": a stand-in address"))
        .map(executor -> executor.host() + " computes with " + executor.computesWith())
        .collect(Collectors.joining(", ", "No round ran on the GPU: ", ""));
  }
}
