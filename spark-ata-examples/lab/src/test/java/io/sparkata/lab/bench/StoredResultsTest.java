package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.lab.Ata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The results in docs, their commands, and the tables that pages show of them. */
class StoredResultsTest {
  private static final Path DOCS = Path.of("..", "..", "docs").toAbsolutePath().normalize();

  static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(DOCS.resolve("benchmarks"))) {
      all.filter(file -> file.toString().endsWith(".json")).sorted().forEach(files::add);
    }
    files.add(DOCS.resolve("paper/ring/ring.json"));
    files.add(DOCS.resolve("paper/executors/cnn.json"));
    return files;
  }

  static List<Result.Run> runs(Path file) throws IOException {
    Result result = new ObjectMapper().readValue(file.toFile(), Result.class);
    assertThat(result.schemaVersion()).isEqualTo(Result.VERSION);
    return result.runs();
  }

  @ParameterizedTest
  @MethodSource("files")
  void result_always_hasTablesAndCommandsThatRepeatIt(Path file) throws IOException {
    for (Result.Run run : runs(file)) {
      assertThat(Table.of(run)).contains("\n| side | ");
      assertThat(run.rows()).isNotEmpty();
      if (!run.command().startsWith("scripts/ata jmh ")) {
        assertRepeats(run);
      }
    }
  }

  private static void assertRepeats(Result.Run run) {
    String[] words = run.command().split(" ", -1);
    Ata.commandLine().parseArgs(Arrays.copyOfRange(words, 1, words.length));
    Options options = Options.parse(String.join(" ", List.of(words).subList(3, words.length)));
    Experiments.of(run.experiment()).orElseThrow().complete(options, /* isQuick= */ true);

    assertThat(words[2]).isEqualTo(run.experiment());
    for (Result.Row row : run.rows()) {
      assertThat(options.speeds).contains(row.speeds());
      assertThat(options.works).contains(row.work()).allMatch(Experiment::isWork);
      assertThat(options.sides).contains(row.side()).allMatch(Side.ids()::contains);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "benchmarks/cold.md, benchmarks/cold/flights-4-2-1.json",
    "benchmarks/cold.md, benchmarks/cold/flights-sgd-4-2-1.json",
    "benchmarks/cold.md, benchmarks/cold/own-gradient-8-4-2-1.json",
    "benchmarks/cold.md, benchmarks/cold/flights-1-1-1.json",
    "benchmarks/cold.md, benchmarks/cold/linear-svc-5-5-1.json",
    "benchmarks/cold.md, benchmarks/cold/flights-sgd-20-1-1.json",
    "benchmarks/cold.md, benchmarks/cold/own-gradient-100-8-4-2-1.json",
    "benchmarks/cold.md, benchmarks/cold/own-gradient-100-20-1-1.json",
    "benchmarks/cache.md, benchmarks/cache/even-4-2-1.json",
    "benchmarks/cache.md, benchmarks/cache/even-8-4-2-1.json",
    "benchmarks/cache.md, benchmarks/cache/joined.json",
    "benchmarks/cache.md, benchmarks/cache/same-speeds.json",
    "paper/ring/README.md, paper/ring/ring.json",
    "paper/executors/README.md, paper/executors/cnn.json"
  })
  void page_ofAResult_showsItsTables(String page, String file) throws IOException {
    Result.Run run = runs(DOCS.resolve(file)).get(0);

    assertThat(Files.readString(DOCS.resolve(page))).contains(Table.of(run));
  }

  @Test
  void page_ofAllBenchmarks_showsASummary() throws IOException {
    List<String> files =
        Stream.of(
                "uneven-large",
                "uneven-large-stock",
                "uneven-large-shares",
                "uneven-medium",
                "uneven-small",
                "one-fast",
                "speculation",
                "yarn",
                "real-data",
                "even-small",
                "even-large",
                "even-large-tenth")
            .map(name -> name + (isOfItsOwn(name) ? "/" + name : "/heterogeneous") + ".json")
            .toList();

    assertThat(Files.readString(DOCS.resolve("benchmarks/README.md")))
        .contains(
            summary(
                files,
                "adaptive",
                Column.of("s/iteration", "%.3g", "secondsPerIteration"),
                Column.of("x spark", "%.1f", "speedup.spark"),
                Column.of("x uniform", "%.1f", "speedup.uniform"),
                Column.of("x spark-partitioned", "%.1f", "speedup.spark-partitioned"),
                Column.of("x spark-replicated", "%.1f", "speedup.spark-replicated"),
                Column.of("call s (x spark)", "%.1f (%.1f)", "callSeconds", "callSpeedup.spark"),
                Column.EFFICIENCY));
  }

  private static boolean isOfItsOwn(String name) {
    return List.of("speculation", "yarn", "real-data").contains(name);
  }

  @Test
  void page_ofLbfgs_showsASummary() throws IOException {
    List<String> files =
        Stream.of("uneven", "one-slow", "uneven-others", "cross-validator", "replicated", "even")
            .map(name -> "lbfgs/" + name + ".json")
            .toList();

    assertThat(Files.readString(DOCS.resolve("benchmarks/lbfgs.md")))
        .contains(
            summary(
                files,
                "adaptive(-partitioned)?",
                Column.of(
                    "s/evaluation (x spark)",
                    "%.3f (%.1f)",
                    "secondsPerIteration",
                    "speedup.spark"),
                Column.of(
                    "whole fit, s (x spark)", "%.1f (%.2f)", "callSeconds", "callSpeedup.spark"),
                Column.STORAGE_RATIO));
  }

  private static String name(String file) {
    return file.startsWith("lbfgs")
        ? file.replaceAll(".*/|\\.json", "")
        : file.substring(0, file.indexOf('/'));
  }

  /** The rows of some sides in some files. */
  static String summary(List<String> files, String sides, Column... columns) throws IOException {
    Map<Result.Row, String> links = new LinkedHashMap<>();
    for (String file : files) {
      for (Result.Run run : runs(DOCS.resolve("benchmarks").resolve(file))) {
        run.rows().stream()
            .filter(row -> row.side().matches(sides))
            .forEach(row -> links.put(row, "[%s](%s)".formatted(name(file), file)));
      }
    }
    Map<String, Function<Result.Row, String>> cells = new LinkedHashMap<>();
    cells.put("result", links::get);
    cells.put("speeds", row -> row.speeds().replace(',', ':'));
    cells.put("workload", Result.Row::work);
    cells.put("side", Result.Row::side);
    for (Column column : columns) {
      cells.put(column.heading(), row -> column.cell(row.figures()));
    }
    return Table.markdown(cells, List.copyOf(links.keySet()));
  }

  @Test
  void help_always_namesEachExperiment() {
    assertThat(new CommandLine(new Bench()).getUsageMessage())
        .contains(Experiments.ids().stream().map(id -> "  " + id + " ").toList());
  }
}
