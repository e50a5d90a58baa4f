package io.sparkata.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every example promises as a file to copy. */
class ExampleFilesTest {
  private static final int MOST_LINES = 80;

  static Stream<Path> files() throws IOException {
    try (Stream<Path> java = Files.walk(Path.of("src/main/java"));
        Stream<Path> policy = Files.walk(Path.of("own-policy/src"));
        Stream<Path> python = Files.walk(Path.of("python"))) {
      return Stream.of(java, policy, python)
          .flatMap(files -> files)
          .filter(file -> file.toString().matches(".*[.](java|py)"))
          .filter(file -> !file.endsWith("package-info.java"))
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void example_always_isShortAndSaysHowToSubmitIt(Path file) throws IOException {
    String text = Files.readString(file);

    assertThat(text.lines()).hasSizeLessThanOrEqualTo(MOST_LINES);
    assertThat(text).contains("spark-submit --master spark://host:7077", "scripts/submit");
    if (!file.endsWith("ReadRoundLog.java")) { // trains nothing
      assertThat(text)
          .contains("--jars spark-ata_2.13-", "--conf spark.plugins=io.sparkata.AtaPlugin")
          .contains("--conf spark.ata.enabled=true");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"LogisticByFlag", "PipelineByFlag"})
  void byFlag_always_importsNothingOfSparkAta(String name) throws IOException {
    Path file = Path.of("src/main/java/io/sparkata/examples/" + name + ".java");

    assertThat(Files.readString(file)).doesNotContain("import io.sparkata");
  }

  @Tag("python3")
  @ParameterizedTest
  @ValueSource(strings = {"svm_by_flag.py", "pipeline_by_flag.py"})
  void python_always_compiles(String name, @TempDir Path cache)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("python3", "-m", "py_compile", "python/" + name);
    builder.environment().put("PYTHONPYCACHEPREFIX", cache.toString());
    Process process = builder.redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(printed).isZero();
  }
}
