package io.sparkata.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Holds docs/configuration.md to what the code says; writes it with -Data.writeDocs=true. */
class ConfigurationDocsTest {
  private static final Path DOCS = Path.of("..", "..", "docs", "configuration.md");
  private static final String COMMAND =
      "mvn -q -pl spark-ata/plugin -am test -Data.skipAllocationTests=true"
          + " -Dtest=ConfigurationDocsTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Data.writeDocs=true";

  @Test
  void configurationDocs_always_sayWhatTheEntriesSay() throws IOException {
    String expected = rendered();
    if (Boolean.getBoolean("ata.writeDocs")) {
      Files.createDirectories(DOCS.getParent());
      Files.writeString(DOCS, expected);
    }
    String found = Files.exists(DOCS) ? Files.readString(DOCS) : "";

    assertThat(found)
        .withFailMessage(
            "docs/configuration.md does not say what AtaKeys says. Write it anew with%n%n    %s%n",
            COMMAND)
        .isEqualTo(expected);
  }

  @Test
  void rendered_everyEntry_hasASectionOfItsOwn() {
    for (ConfEntry<?> entry : AtaKeys.entries()) {
      assertThat(rendered()).containsOnlyOnce("## " + entry.key() + "\n");
    }
  }

  private static String rendered() {
    StringBuilder text = new StringBuilder();
    text.append("# Configuration\n\n");
    text.append(
        "Generated from `io.sparkata.config.AtaKeys`. To change this page, change the entry");
    text.append(" there and run:\n\n```\n").append(COMMAND.replace(" -Dtest", " \\\n  -Dtest"));
    text.append("\n```\n\n");
    text.append(
        wrapped(
            "Every key is an ordinary Spark property, read once when the SparkContext starts. Set it"
                + " in `conf/spark-defaults.conf`, with `--conf key=value` of `spark-submit`, or on the"
                + " `SparkConf`, next to `spark.plugins=io.sparkata.AtaPlugin`. If Spark ATA is enabled"
                + " and a value is illegal, one WARN names the key, the value and what is legal, and"
                + " the application trains by Spark alone. With `spark.ata.onError=fail` the start"
                + " ends with that as an exception."));
    text.append("\n");
    for (ConfEntry<?> entry : AtaKeys.entries()) {
      text.append("\n## ").append(entry.key()).append("\n\n");
      text.append(wrapped(entry.doc())).append("\n\n");
      text.append("- Default: ");
      text.append(entry.defaultText().isEmpty() ? "unset" : "`" + entry.defaultText() + "`");
      text.append("\n").append(wrapped("- Legal values: " + entry.rule())).append("\n");
    }
    return text.toString();
  }

  /** In lines of at most 120 characters. */
  private static String wrapped(String text) {
    return text.replaceAll("(.{1,118})(?: |$)", "$1\n").stripTrailing();
  }
}
