package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubmitArgumentsTest {
  @TempDir private Path folder;

  @Test
  void parse_optionsWithValuesAndSwitches_endAtTheApplication() {
    SubmitArguments arguments =
        parse("--class Main -v --supervise --conf a=b --name=x app.jar --jars not,ours");
    assertThat(arguments.options())
        .containsExactly("--class", "Main", "-v", "--supervise", "--conf", "a=b", "--name=x");
    assertThat(arguments.application()).containsExactly("app.jar", "--jars", "not,ours");
    assertThat(arguments.jars()).isEmpty();
    assertThat(arguments.settings()).isEmpty();
    assertThat(arguments.propertiesFile()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--jars a.jar,b.jar app.jar", "--jars=x --jars=a.jar,b.jar app.jar"})
  void parse_jars_areTakenOutAndTheLastCount(String line) {
    assertThat(parse(line).jars()).isEqualTo("a.jar,b.jar");
    assertThat(parse(line).options()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--conf", "-c"})
  void parse_settingsOfOurs_areTakenOut(String option) {
    SubmitArguments arguments =
        SubmitArguments.parse(
            List.of(
                option,
                "spark.plugins=a,b=c",
                "--conf=spark.jars=x.jar",
                option,
                "spark.executor.defaultJavaOptions=-Da=b -Dc",
                option,
                "spark.pluginsX=y",
                "app.jar"));
    assertThat(arguments.settings())
        .isEqualTo(
            Map.of(
                "spark.plugins", "a,b=c",
                "spark.jars", "x.jar",
                "spark.executor.defaultJavaOptions", "-Da=b -Dc"));
    assertThat(arguments.options()).containsExactly(option, "spark.pluginsX=y");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--properties-file f.conf a.jar", "--properties-file=f.conf a.jar"})
  void parse_propertiesFile_staysAnOption(String line) {
    assertThat(parse(line).propertiesFile()).contains("f.conf");
    assertThat(String.join(" ", parse(line).options()) + " a.jar").isEqualTo(line);
  }

  @ParameterizedTest
  @CsvSource({
    "--master yarn a.jar, yarn",
    "--master=yarn a.jar, yarn",
    "--master x --master yarn a.jar, yarn",
    "--name --master a.jar, ",
    "a.jar --master yarn, "
  })
  void option_isTheLastOfTheOptions(String line, String master) {
    assertThat(parse(line).option("--master").orElse(null)).isEqualTo(master);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--version",
        "--usage-error",
        "--help",
        "--kill driver-1 --master spark://a:1",
        "--status=driver-1",
        "spark-shell",
        "hdfs://a/app.jar",
        "--deploy-mode cluster /nowhere/app.jar",
        "pom.xml"
      })
  void requireApplication_nothingIsMissing_passes(String line) {
    assertThatCode(() -> parse(line).requireApplication()).doesNotThrowAnyException();
  }

  @Test
  void requireApplication_none_isUsageError() {
    assertThatThrownBy(() -> parse("--class Main --master yarn").requireApplication())
        .hasMessage("Invalid command line: no application (APP.jar or APP.py, after the options)")
        .matches(failure -> ((ScriptFailure) failure).isUsageError());
  }

  @Test
  void requireApplication_lastOptionHasNoValue_namesIt() {
    assertThatThrownBy(() -> parse("--class Main --jars").requireApplication())
        .hasMessage("Invalid option: --jars (its value is missing)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"app.jar", "app.py"})
  void requireApplication_fileIsMissing_saysSo(String name) throws IOException {
    Path file = folder.resolve(name);
    assertThatThrownBy(() -> parse("--deploy-mode client " + file).requireApplication())
        .hasMessage("Cannot run " + file + ": there is no such file.");
    Files.createFile(file);
    assertThatCode(() -> parse(file.toString()).requireApplication()).doesNotThrowAnyException();
  }

  private static SubmitArguments parse(String line) {
    return SubmitArguments.parse(List.of(line.split(" ", -1)));
  }
}
