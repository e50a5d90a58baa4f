package io.sparkata.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The notebook, as the program that its cells are together. */
class NotebookTest {
  private static final Path NOTEBOOK = Path.of("python", "observe_train_report.ipynb");
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  @TempDir private Path folder;

  private static String program() throws IOException {
    JsonNode cells = new ObjectMapper().readTree(NOTEBOOK.toFile()).get("cells");
    return StreamSupport.stream(cells.spliterator(), /* parallel= */ false)
        .filter(cell -> cell.get("cell_type").asText().equals("code"))
        .map(NotebookTest::text)
        .collect(Collectors.joining("\n\n"));
  }

  private static String text(JsonNode cell) {
    return StreamSupport.stream(cell.get("source").spliterator(), /* parallel= */ false)
        .map(JsonNode::asText)
        .collect(Collectors.joining());
  }

  /** What it prints, once it has ended well. */
  private String python(ProcessBuilder builder) throws IOException, InterruptedException {
    Path printed = folder.resolve("printed.txt");
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .directory(ROOT.toFile())
            .start();
    assertThat(process.waitFor()).as(printed.toString()).isZero();
    return Files.readString(printed, StandardCharsets.UTF_8);
  }

  @Tag("python3")
  @Test
  void notebook_always_compiles() throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("notebook.py"), program());

    python(new ProcessBuilder("python3", "-m", "py_compile", file.toString()));
  }

  /** Needs SPARK_HOME, an unpacked Spark with Python, and numpy. */
  @Tag("pyspark")
  @Test
  void notebook_inPySpark_observesTrainsAndReports() throws IOException, InterruptedException {
    Path home = Path.of(System.getenv("SPARK_HOME"));
    String python = home.resolve("python").toString();
    try (Stream<Path> files = Files.list(home.resolve("python").resolve("lib"))) {
      List<String> py4j =
          files.map(Path::toString).filter(file -> file.endsWith("-src.zip")).toList();
      python += ":" + String.join(":", py4j);
    }
    String program = program().replace("spark://host:7077", "local-cluster[3,1,1024]");
    Path file = Files.writeString(folder.resolve("notebook.py"), program);
    ProcessBuilder builder = new ProcessBuilder("python3", file.toString());
    builder.environment().put("PYTHONPATH", python);
    String printed = python(builder);

    assertThat(printed)
        .containsPattern("Spark ATA observed training 1: LogisticRegression_.* rounds in ")
        .containsPattern("Spark ATA ran training 1: LogisticRegression_.* rounds in ")
        .containsPattern("largest difference of a weight: [0-9.]+e-1[0-9]")
        .contains("|executor|");
  }
}
