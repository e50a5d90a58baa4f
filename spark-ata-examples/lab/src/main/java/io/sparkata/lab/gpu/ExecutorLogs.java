package io.sparkata.lab.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
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
      Pattern.compile("Spark ATA: executor (\\S+) on (\\S+) computes with (.*)");
  private static final Pattern WARNING = Pattern.compile(".* (?:WARN|ERROR) .*Spark ATA: .*");

  /** The line that an executor logs at its start. */
  record Statement(String id, String host, String computesWith) {
    boolean hasGpu() {
      return computesWith.split(";", 2)[0].contains(" at GPU address ");
    }
  }

  /** Reads the logs of standalone workers whose folders are in {@code folder}. */
  static ExecutorLogs read(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(file -> file.endsWith("stderr")).sorted().toList()) {
        String text = Files.readString(file);
        // Without the last line, which the executor may be writing.
        String complete = text.substring(0, text.lastIndexOf('\n') + 1);
        complete.lines().forEach(lines::add);
      }
    }
    return of(lines);
  }

  /** Whether an executor computes with a GPU. */
  boolean hasGpu() {
    return executors.stream().anyMatch(Statement::hasGpu);
  }

  /** Says so in one line, with what the executors say whose GPU is no stand-in. */
  String noRoundOnGpu() {
    return executors.stream()
        .filter(executor -> !executor.computesWith().contains(": a stand-in address"))
        .map(executor -> executor.host() + " computes with " + executor.computesWith())
        .collect(Collectors.joining(", ", "No round ran on the GPU: ", ""));
  }

  static ExecutorLogs of(List<String> lines) {
    List<Statement> executors =
        lines.stream()
            .map(STATEMENT::matcher)
            .filter(Matcher::find)
            .map(found -> new Statement(found.group(1), found.group(2), found.group(3)))
            .sorted(Comparator.comparing(Statement::id))
            .toList();
    return new ExecutorLogs(
        executors, lines.stream().filter(line -> WARNING.matcher(line).matches()).toList());
  }
}
